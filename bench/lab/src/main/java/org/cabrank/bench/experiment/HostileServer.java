package org.cabrank.bench.experiment;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;

/**
 * The server of {@link HostileLoad}: echoes requests of {@value #REQUEST_BYTES} bytes, and leaves a part of a request unread.
 * Its limits are the defaults of every server.
 */
public final class HostileServer implements ConnectionHandler {

    static final int REQUEST_BYTES = 64;

    HostileServer() {}

    public static void main(String... arguments) throws IOException {
        HostileServer handler = new HostileServer();
        AtomicReference<StreamReactor> reactor = new AtomicReference<>();
        ServedUntilInputEnds.run(
                arguments[0],
                () -> {
                    StreamServer server = StreamServer.builder()
                            .listen("127.0.0.1", 0)
                            .backend(Backend.named(arguments[0]))
                            .handler(() -> handler)
                            .start();
                    reactor.set(server.reactor());
                    return Integer.toString(server.port());
                },
                () -> directMiB() + " MiB direct memory, " + reactor.get().counters());
    }

    private static long directMiB() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
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
