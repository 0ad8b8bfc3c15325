package org.cabrank.epoll.example;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.source.Pipe;
import org.cabrank.socket.source.PipeHandler;
import org.cabrank.socket.source.PipeSink;
import org.cabrank.socket.source.PipeSource;
import org.cabrank.socket.source.SinkHandler;

/** Lines come through a named pipe, {@code echo hello > FIFO}, and go on through another pipe in capitals. */
public final class PipeExample {
    private static final int QUEUE_BYTES = 64 << 10;

    private PipeExample() {}

    /** @return all that came out of the other pipe, when the line "end" has come */
    static String run(Kernel kernel, Path fifo) throws Exception {
        EpollHandleSet set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        Pipe.makeFifo(kernel, fifo, 0_600);
        Pipe pipe = Pipe.open(kernel);
        CompletableFuture<String> result = new CompletableFuture<>();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), QUEUE_BYTES, new SinkHandler() {});
        PipeSource.openFifo(set, fifo, (source, data) -> passOn(data, sink));
        PipeSource.of(set, pipe.readFd(), new PipeHandler() {
            @Override
            public void handleData(PipeSource source, ByteBuffer data) {} // left unread until the end

            @Override
            public void handleEnd(PipeSource source, ByteBuffer unread) {
                result.complete(StandardCharsets.UTF_8.decode(unread).toString());
            }
        });
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("pipes", 2))) {
            pool.start();
            return result.get();
        } finally {
            set.close();
        }
    }

    /** Whole lines only: the rest is left unread, and comes again with what follows. */
    private static void passOn(ByteBuffer data, PipeSink sink) throws Exception {
        for (int at = data.position(); at < data.limit(); at++) {
            if (data.get(at) == '\n') {
                byte[] bytes = new byte[at + 1 - data.position()];
                data.get(bytes);
                String line = new String(bytes, StandardCharsets.UTF_8);
                if (line.equals("end\n")) {
                    sink.finish();
                } else if (!sink.write(
                        ByteBuffer.wrap(line.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8)))) {
                    throw new IllegalStateException("nobody reads the other pipe");
                }
            }
        }
    }
}
