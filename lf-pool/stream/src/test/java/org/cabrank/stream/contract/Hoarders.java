package org.cabrank.stream.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardMemoryException;

/** Connections whose handler leaves every byte unread, more of them than there is memory for. */
final class Hoarders implements AutoCloseable {
    private static final int COUNT = 40;

    private final List<TestClient> clients = new ArrayList<>();
    private final Queue<Throwable> causes = new ConcurrentLinkedQueue<>();

    private Hoarders() {}

    /**
     * Sends {@code bytes} on each connection, waits until most of them are closed for want of memory, and asserts that a connection
     * which leaves few bytes unread is served beside the rest.
     */
    static Hoarders fill(StreamContract test, TestReactor reactor, int bytes) throws Exception {
        Hoarders hoarders = new Hoarders();
        SocketAddress frames = reactor.listen((connection, data) -> {
            if (data.remaining() >= 5) {
                connection.write(data);
            }
        });
        SocketAddress address = reactor.listen(hoarders.handler());
        for (int i = 0; i < COUNT; i++) {
            hoarders.clients.add(test.client(address).send("x".repeat(bytes)));
        }
        Await.until("most are closed", () -> hoarders.causes.size() >= COUNT / 2);
        test.client(frames).send("he").send("llo").expect("hello");
        return hoarders;
    }

    private ConnectionHandler handler() {
        return new ConnectionHandler() {
            @Override
            public void data(Connection connection, ByteBuffer data) {
                // all is left unread
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                if (cause instanceof ShardMemoryException) {
                    causes.add(cause);
                }
            }
        };
    }

    /** Causes of the connections that were closed for want of memory. */
    Queue<Throwable> causes() {
        return causes;
    }

    /** Ends all connections. */
    @Override
    public void close() throws IOException {
        for (TestClient client : clients) {
            client.close();
        }
    }
}
