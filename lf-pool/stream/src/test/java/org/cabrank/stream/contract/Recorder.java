package org.cabrank.stream.contract;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Notes the calls for one connection, hands them on, and notices when two of them overlap. */
public class Recorder implements ConnectionHandler {
    private static final ConnectionHandler READS_ALL = (connection, data) -> data.position(data.limit());

    private final ConnectionHandler next;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicBoolean inside = new AtomicBoolean();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final CompletableFuture<Connection> opened = new CompletableFuture<>();
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private volatile Throwable cause;

    /** Reads and forgets. */
    public Recorder() {
        this(READS_ALL);
    }

    public Recorder(ConnectionHandler next) {
        this.next = next;
    }

    /** The names of the calls so far. */
    public List<String> calls() {
        return calls;
    }

    public int count(String call) {
        return (int) calls.stream().filter(call::equals).count();
    }

    public int overlaps() {
        return overlaps.get();
    }

    /** Waits for the connection. */
    public Connection connection() throws Exception {
        return opened.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
    }

    /** The connection, which is there. */
    public Connection connectionNow() {
        return opened.join();
    }

    /** Waits for the end, and answers the cause that was given. */
    public Throwable awaitClosed() throws Exception {
        closed.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        return cause;
    }

    public boolean isClosed() {
        return closed.isDone();
    }

    private interface Call {
        void run() throws Exception;
    }

    private void enter(String name, Call call) throws Exception {
        calls.add(name);
        if (!inside.compareAndSet(false, true)) {
            overlaps.incrementAndGet();
        }
        try {
            call.run();
        } finally {
            inside.set(false);
        }
    }

    /** For tasks that are given to {@link Connection#execute}: they count as calls. */
    public Runnable task(Runnable task) {
        return () -> {
            try {
                enter("task", task::run);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    @Override
    public void opened(Connection connection) throws Exception {
        opened.complete(connection);
        enter("opened", () -> next.opened(connection));
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        enter("data", () -> next.data(connection, data));
    }

    @Override
    public void writable(Connection connection) throws Exception {
        enter("writable", () -> next.writable(connection));
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        enter("deadlinePassed", () -> next.deadlinePassed(connection));
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        enter("inputClosed", () -> next.inputClosed(connection, unread));
    }

    /** Not among the calls, because it is repeated after each event of a drain. */
    @Override
    public void draining(Connection connection) throws Exception {
        next.draining(connection);
    }

    @Override
    public void closed(Connection connection, Throwable why) {
        cause = why;
        try {
            enter("closed", () -> next.closed(connection, why));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            closed.complete(true);
        }
    }

    /** Returns the rest of the buffer as text, and consumes it. */
    public static String text(ByteBuffer data) {
        return StandardCharsets.ISO_8859_1.decode(data).toString();
    }

    public static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
