package org.cabrank.bench.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/**
 * The server under test: echoes requests of {@value #REQUEST_BYTES} bytes, and leaves the part of a request unread. Limits are those
 * that every server has by default. Ends when its standard input ends, and so when the bench is killed.
 */
public final class HostileServer implements ConnectionHandler {
    static final String LISTENING = "listening ";
    static final String COUNTERS = "counters";
    static final int REQUEST_BYTES = 64;

    HostileServer() {}

    public static void main(String... arguments) throws IOException {
        HostileServer handler = new HostileServer();
        StreamServer server;
        try {
            server = StreamServer.builder()
                    .listen("127.0.0.1", 0)
                    .backend(Backend.named(arguments[0]))
                    .handler(() -> handler)
                    .start();
        } catch (IOException refused) {
            System.err.println(arguments[0] + ": " + refused.getMessage());
            Runtime.getRuntime().halt(1);
            return;
        }
        System.out.println(LISTENING + server.port());
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (commands.readLine() != null) {
            System.out.println(COUNTERS + " " + directMiB() + " MiB direct memory, "
                    + server.reactor().counters());
        }
        Runtime.getRuntime().halt(0);
    }

    private static long directMiB() {
        List<BufferPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);
        return pools.stream()
                        .filter(pool -> pool.getName().equals("direct"))
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum()
                >> 20;
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        int whole = data.remaining() / REQUEST_BYTES * REQUEST_BYTES;
        if (whole > 0) {
            int end = data.limit();
            data.limit(data.position() + whole);
            connection.write(data);
            data.limit(end);
        }
    }
}
