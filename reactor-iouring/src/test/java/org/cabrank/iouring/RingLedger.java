package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/**
 * An echo service that knows what it may receive: messages that name their connection and their place in it, and say what is
 * to follow once they are answered.
 *
 * <pre>
 * | length 4 | connection 4 | sequence 4 | then 4 | payload, length bytes |
 * </pre>
 */
final class RingLedger implements ConnectionHandler {
    private static final AttachmentKey<Page> PAGE = AttachmentKey.named("page");

    private static final int BLOCKED_MAX_NS = 8_000_000;

    static final int HEADER_BYTES = 4 * Integer.BYTES;

    /** Action of the server after it has answered a message. */
    enum Then {
        GO_ON,
        CLOSE,
        ABORT,
        THROW
    }

    /** Of one connection; by its callbacks. */
    private static final class Page {
        private int connection = -1;
        private int expected;
        private int left;
        private Then then;
    }

    private static final Then[] COMMANDS = Then.values();

    /** One of so many pieces of input blocks its thread; 0: none does. */
    private final int blocksOneOf;

    private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong closed = new AtomicLong();
    private final AtomicLong thrown = new AtomicLong();

    RingLedger() {
        this(0);
    }

    RingLedger(int blocksOneOf) {
        this.blocksOneOf = blocksOneOf;
    }

    private void block() {
        if (blocksOneOf > 0 && ThreadLocalRandom.current().nextInt(blocksOneOf) == 0) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(BLOCKED_MAX_NS));
        }
    }

    /** Violations, as text. */
    Queue<String> errors() {
        return errors;
    }

    long openedCount() {
        return opened.get();
    }

    long closedCount() {
        return closed.get();
    }

    long thrownCount() {
        return thrown.get();
    }

    @Override
    public void opened(Connection connection) {
        opened.incrementAndGet();
        connection.attach(PAGE, new Page());
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws IOException {
        block();
        Page page = connection.attachment(PAGE);
        while (data.hasRemaining()) {
            if (page.left == 0 && !begin(page, data)) {
                return;
            }
            int end = data.limit();
            int taken = Math.min(page.left, data.remaining());
            page.left -= taken;
            data.limit(data.position() + taken);
            connection.write(data);
            data.limit(end);
            if (page.left == 0 && page.then != Then.GO_ON) {
                data.position(end);
                end(connection, page.then);
            }
        }
    }

    /** False: the header has not come as a whole. */
    private boolean begin(Page page, ByteBuffer data) throws IOException {
        if (data.remaining() < HEADER_BYTES) {
            return false;
        }
        ByteBuffer header = data.slice(); // big endian
        int length = header.getInt();
        int connection = header.getInt();
        int sequence = header.getInt();
        int then = header.getInt();
        if (page.connection < 0 && sequence == 0 && connections.add(connection)) {
            page.connection = connection;
        }
        if (connection != page.connection || sequence != page.expected || then < 0 || then >= COMMANDS.length) {
            String error =
                    "received message " + sequence + " of connection " + connection + " (" + length + " bytes, then "
                            + then + "), expected message " + page.expected + " of connection " + page.connection;
            errors.add(error);
            thrown.incrementAndGet();
            throw new IOException(error);
        }
        page.expected++;
        page.then = COMMANDS[then];
        page.left = HEADER_BYTES + length;
        return true;
    }

    private void end(Connection connection, Then then) throws IOException {
        switch (then) {
            case CLOSE -> connection.close();
            case ABORT -> connection.abort();
            case THROW -> {
                thrown.incrementAndGet();
                throw new IOException("thrown by a handler on purpose");
            }
            default -> throw new AssertionError(then);
        }
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        closed.incrementAndGet();
        if (connection.attachment(PAGE) == null) {
            errors.add("connection " + connection.id() + " was closed twice, or never opened");
        }
        connection.attach(PAGE, null);
    }
}
