package org.cabrank.example;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/** A frame is its length in 4 bytes (network byte order) and a payload. Each request frame is answered by one frame. */
public final class FrameService {
    private static final int HEADER = 4;
    private static final int PAYLOAD_MAX = 32 * 1024; // a whole frame must fit into the unread limit, 64 KiB

    public static void main(String[] args) throws Exception {
        ExecutorService slowWork = OffloadExecutors.virtualThreadsElse("slow-work", 16, 1_000);
        try (StreamServer server = start(args.length > 0 ? Integer.parseInt(args[0]) : 7000, slowWork)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        } finally {
            slowWork.shutdown(); // after the server, whose drain waits for the work
        }
    }

    static StreamServer start(int port, ExecutorService slowWork) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", port)
                .idleTimeout(Duration.ofMinutes(1))
                .drainTimeout(Duration.ofSeconds(5))
                .handler(() -> new Frames(slowWork)) // one handler for each connection
                .start();
    }

    record Frames(Executor slowWork, ByteBuffer header) implements ConnectionHandler {
        Frames(Executor slowWork) {
            this(slowWork, ByteBuffer.allocate(HEADER));
        }

        @Override
        public void data(Connection connection, ByteBuffer data) throws ProtocolException {
            while (data.remaining() >= HEADER) {
                int length = data.getInt(data.position());
                if (length < 1 || length > PAYLOAD_MAX) {
                    throw new ProtocolException("frame of " + length + " bytes; allowed: 1 to " + PAYLOAD_MAX);
                }
                if (data.remaining() < HEADER + length) {
                    return; // unread bytes come again, in front of the next bytes
                }
                ByteBuffer payload = data.slice(data.position() + HEADER, length);
                data.position(data.position() + HEADER + length);
                if (payload.get(0) != 'S') {
                    answer(connection, payload);
                    continue;
                }
                byte[] request = new byte[length]; // a copy, because data is valid only during this call
                payload.get(request);
                connection.offload(slowWork, () -> compute(request), this::answer);
                return; // the frames behind come again after the answer
            }
        }

        private void answer(Connection connection, ByteBuffer payload) {
            connection.write(header.clear().putInt(payload.remaining()).flip());
            connection.write(payload);
        }

        private static ByteBuffer compute(byte[] request) {
            return ByteBuffer.wrap(request); // a database, a file, a remote call
        }
    }
}
