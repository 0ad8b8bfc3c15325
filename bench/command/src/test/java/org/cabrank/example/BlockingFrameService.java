package org.cabrank.example;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.StreamServer;

/** The frames of FrameService, written straight down: each connection has a virtual thread (JDK 21), or one of 200 threads. */
public final class BlockingFrameService {
    private static final int PAYLOAD_MAX = 32 * 1024;

    public static void main(String[] args) throws Exception {
        ExecutorService sessions = OffloadExecutors.virtualThreadsElse("session", 200, 1_000);
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 7000)
                .idleTimeout(Duration.ofMinutes(1))
                .handler(BlockingHandlers.of(sessions, BlockingFrameService::serve))
                .start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            System.out.println("listening on " + server.localAddress());
            server.awaitTermination();
        } finally {
            sessions.shutdown(); // after the server, whose drain waits for the sessions
        }
    }

    /** The connection is closed when this method returns or throws. */
    private static void serve(BlockingConnection connection) throws IOException {
        DataInputStream in = new DataInputStream(connection.inputStream());
        while (connection.awaitInput()) { // false at the peer's end, and when the server drains
            int length = in.readInt();
            if (length < 1 || length > PAYLOAD_MAX) {
                throw new ProtocolException("frame of " + length + " bytes; allowed: 1 to " + PAYLOAD_MAX);
            }
            ByteBuffer frame = ByteBuffer.allocate(4 + length).putInt(length);
            in.readFully(frame.array(), 4, length);
            connection.write(frame.rewind()); // a slow answer may wait here for a database, a file, a remote call
        }
    }
}
