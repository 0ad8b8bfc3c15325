package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Inotify;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.source.InotifySource;
import org.cabrank.socket.source.MessageQueue;
import org.cabrank.socket.source.MessageQueueSource;
import org.cabrank.socket.source.Pipe;
import org.cabrank.socket.source.PipeHandler;
import org.cabrank.socket.source.PipeSink;
import org.cabrank.socket.source.PipeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler of a source that waits for a reply: each event comes once, in order, during the wait and after it. */
public abstract class SourceNestedWaitContract extends SourceContract {
    private static final int DIGITS = 5;

    private final WaitingHandler waiting = new WaitingHandler();
    private PipeSink sink;

    @TempDir
    Path dir;

    /** The source has so many events from 0 on when the handler is called first, as many during the waits, and one afterwards. */
    private void eachComesOnce(int together, IntConsumer emit) throws Exception {
        for (int i = 0; i < together; i++) {
            emit.accept(i);
        }
        waiting.servedBy(serve());
        waiting.awaitEach(together);
        for (int i = together; i < 2 * together; i++) {
            emit.accept(i);
        }
        waiting.awaitEach(2 * together);
        waiting.end();
        emit.accept(2 * together);
        waiting.awaitEach(2 * together + 1);
    }

    @Test
    void fileEventsComeOnceInOrder() throws Exception {
        InotifySource source = InotifySource.open(set, own -> {});
        source.watch(dir, Inotify.IN_CREATE, (watch, event) -> {
            int number = Integer.parseInt(event.name());
            waiting.seen(number);
            waiting.returns(number);
        });
        eachComesOnce(20, number -> {
            try {
                Files.createFile(dir.resolve("" + number));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        assertEquals(0, source.staleEvents());
    }

    /** The handler reads one number in each call of {@code get}, and leaves the later ones to the call during its wait. */
    @Test
    void bytesOfAPipeThatAreReadOneByOneComeOnceInOrder() throws Exception {
        fromAPipe((source, data) -> {
            while (data.remaining() >= DIGITS) {
                int number = number(data);
                waiting.seen(number);
                waiting.returns(number);
            }
        });
        eachComesOnce(20, this::write);
    }

    /** The handler takes all bytes before it waits. */
    @Test
    void bytesOfAPipeThatAreReadBeforeTheWaitComeOnceInOrder() throws Exception {
        fromAPipe((source, data) -> {
            int first = number(data);
            int end = first + 1;
            while (data.hasRemaining()) {
                end = number(data) + 1;
            }
            for (int number = first; number < end; number++) {
                waiting.seen(number);
            }
            waiting.returns(end - 1);
        });
        int emitted = 0;
        for (int end : new int[] {WaitingHandler.WAITS + 1, WaitingHandler.WAITS_TOO + 1, 10}) {
            while (emitted < end) {
                write(emitted++);
            }
            if (end == WaitingHandler.WAITS + 1) {
                waiting.servedBy(serve());
            }
            waiting.awaitEach(end);
        }
        waiting.end();
        write(emitted);
        waiting.awaitEach(emitted + 1);
    }

    private static int number(ByteBuffer data) {
        byte[] digits = new byte[DIGITS];
        data.get(digits);
        return Integer.parseInt(new String(digits, StandardCharsets.US_ASCII));
    }

    private void fromAPipe(PipeHandler handler) throws Exception {
        Pipe pipe = Pipe.open(kernel);
        sink = PipeSink.of(set, pipe.writeFd(), 1 << 16, PipeFixture.SILENT);
        PipeSource.of(set, pipe.readFd(), handler);
    }

    private void write(int number) {
        try {
            assertTrue(sink.write(bytes(String.format("%05d", number))));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The end is reported once, though the handler of the end waits. */
    @Test
    void endOfAPipeComesOnce() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        AtomicInteger ends = new AtomicInteger();
        CompletableFuture<Reply<String>> awaited = new CompletableFuture<>();
        CompletableFuture<String> left = new CompletableFuture<>();
        CountDownLatch closed = new CountDownLatch(1);
        sink = PipeSink.of(set, pipe.writeFd(), 1 << 16, PipeFixture.SILENT);
        PipeSource source = PipeSource.of(set, pipe.readFd(), new PipeHandler() {
            @Override
            public void handleData(PipeSource own, ByteBuffer data) {}

            @Override
            public void handleEnd(PipeSource own, ByteBuffer unread) throws Exception {
                ends.incrementAndGet();
                awaited.get().await(Duration.ofNanos(Await.PATIENCE_NS));
                left.complete(text(unread));
            }

            @Override
            public void handleClosed(PipeSource own, Throwable cause) {
                closed.countDown();
            }
        });
        assertTrue(sink.write(bytes("rest")));
        sink.finish();
        LeaderFollowersPool pool = serve();
        CountDownLatch other = new CountDownLatch(1);
        Reply<String> reply = pool.newReply();
        awaited.complete(reply);
        Await.until("the end has come", () -> ends.get() > 0);
        set.registerVirtual("other", (own, ready) -> other.countDown()).post(Ready.POSTED);
        assertTrue(other.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(1, closed.getCount());
        reply.complete("done");
        assertEquals("rest", left.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertTrue(closed.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
        assertEquals(1, ends.get());
        assertTrue(source.isClosed());
    }

    /** A waiting handler keeps its message. */
    @Test
    void messagesComeOnceInOrderAndStayWhatTheyAre() throws Exception {
        ByteBuffer none = direct(1);
        assumeTrue(kernel.mqUnlink(kernel.addressOf(none)) != -Errno.ENOSYS, "the kernel has no message queues");
        String name = "/cabrank-waiting-" + ProcessHandle.current().pid();
        MessageQueue queue = MessageQueue.openOrMake(kernel, name, 10, 64, 0_600);
        MessageQueue.unlink(kernel, name);
        AtomicInteger changed = new AtomicInteger();
        MessageQueueSource.open(set, queue, (source, message, priority) -> {
            int number = Integer.parseInt(text(message.duplicate()));
            waiting.seen(number);
            if (!text(message).equals("" + number)) {
                changed.incrementAndGet();
            }
            waiting.returns(number);
        });
        eachComesOnce(8, number -> {
            try {
                assertTrue(queue.send(bytes("" + number), 0));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
        assertEquals(0, changed.get());
    }
}
