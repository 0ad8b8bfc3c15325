package org.cabrank.epoll.example;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.Timer;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/** A server that tells everyone "tick" at a fixed rate, by a timer that its own threads serve. */
public final class TimersExample implements ConnectionHandler, AutoCloseable {
    private final Set<Connection> listening = ConcurrentHashMap.newKeySet();
    private final StreamServer server;
    private final Timer ticks;

    TimersExample(Duration period) throws IOException {
        server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(() -> this)
                .start();
        HandleSet set = server.reactor().pools().get(0).handleSets().get(0);
        ticks = new Timers(set).every(period, timer -> listening.forEach(this::tick));
    }

    /** On whichever thread runs the timer; the connection's own calls come one at a time, and this among them. */
    private void tick(Connection connection) {
        try {
            connection.execute(() -> connection.write(ByteBuffer.wrap("tick\n".getBytes(StandardCharsets.US_ASCII))));
        } catch (RejectedExecutionException gone) {
            listening.remove(connection); // at this moment; the other listeners must be notified all the same
        }
    }

    StreamServer server() {
        return server;
    }

    @Override
    public void opened(Connection connection) {
        listening.add(connection);
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        data.position(data.limit()); // whatever they say
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        listening.remove(connection);
    }

    @Override
    public void close() {
        ticks.cancel();
        server.close();
    }
}
