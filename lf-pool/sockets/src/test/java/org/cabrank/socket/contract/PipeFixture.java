package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.socket.source.PipeHandler;
import org.cabrank.socket.source.PipeSink;
import org.cabrank.socket.source.PipeSource;
import org.cabrank.socket.source.SinkHandler;
import org.junit.jupiter.api.io.TempDir;

/** Helpers for tests of pipes, at both ends. */
abstract class PipeFixture extends SourceContract {
    static final SinkHandler SILENT = new SinkHandler() {};

    @TempDir
    Path dir;

    /** Collects the bytes of a source. One thread at a time calls the handler. */
    static class Collecting implements PipeHandler {
        final StringBuffer text = new StringBuffer();
        final CompletableFuture<String> unreadAtEnd = new CompletableFuture<>();
        final CompletableFuture<String> closed = new CompletableFuture<>();
        volatile Throwable cause;

        @Override
        public void handleData(PipeSource source, ByteBuffer data) throws Exception {
            text.append(text(data));
        }

        @Override
        public void handleEnd(PipeSource source, ByteBuffer unread) {
            unreadAtEnd.complete(text(unread));
        }

        @Override
        public void handleClosed(PipeSource source, Throwable why) {
            cause = why;
            closed.complete(source.toString());
        }
    }

    static final class Telling implements SinkHandler {
        final AtomicInteger rooms = new AtomicInteger();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        volatile Throwable cause;

        @Override
        public void handleRoom(PipeSink sink) {
            rooms.incrementAndGet();
        }

        @Override
        public void handleClosed(PipeSink sink, Throwable why) {
            cause = why;
            closed.complete(sink.queuedBytes());
        }
    }
}
