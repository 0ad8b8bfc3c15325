package org.cabrank.httpserver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.HttpBody;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.message.HttpFields;
import org.cabrank.stream.ScheduledTask;

/**
 * The body of a request as a stream. Reading pauses while many bytes wait. The handler is called when the whole body, or the first bytes
 * that the settings demand, have arrived. It is called after {@link #START} at the latest, because the client may wait for an answer.
 */
final class RequestBody extends InputStream implements HttpBody {
    /** Number of waiting bytes at which reading pauses, unless the settings demand more first bytes. */
    private static final int WAITING_MAX = 64 << 10;

    private static final int INITIAL = 4 << 10;

    /** Time after which the handler is called without the first bytes. */
    private static final Duration START = Duration.ofMillis(500);

    private final ServedExchange exchange;
    private final ExchangeWait wait = new ExchangeWait();
    private final int bytesFirst;
    private final int pauseAt;

    private volatile ScheduledTask startLate;

    private byte[] bytes = {};
    private int from;
    private int to;
    private boolean paused;
    private boolean started;
    private boolean complete;
    private boolean closed;
    private Throwable failure;

    RequestBody(ServedExchange exchange, int bytesFirst) {
        this.exchange = exchange;
        this.bytesFirst = bytesFirst;
        this.pauseAt = Math.max(bytesFirst, WAITING_MAX);
    }

    void begin(HttpExchange http) {
        http.body(this);
        if (bytesFirst == 0) {
            started = true;
            exchange.startBesideBody();
        } else {
            try {
                http.connection()
                        .execute(this::awaitFirst); // after the callback, because most bodies arrive with the head
            } catch (RejectedExecutionException full) {
                awaitFirst();
            }
        }
    }

    /** Starts the timer of {@link #START}. Called in a callback or in an event of a shard. */
    private void awaitFirst() {
        if (!isWaiting()) {
            return;
        }
        try {
            startLate =
                    exchange.http().connection().schedule(START, () -> exchange.besideBody(this::startWithoutFirst));
        } catch (RejectedExecutionException goneOrTooMany) {
            return; // the first bytes or the end of the connection will arrive
        }
    }

    private boolean isWaiting() {
        return wait.holds(() -> !started && failure == null);
    }

    /** Called under the lock. Returns true, and notes this, if {@code wanted} is true and the handler was not called yet. */
    private boolean takeStart(boolean wanted) {
        boolean start = wanted && !started;
        started |= start;
        return start;
    }

    private void startWithoutFirst() {
        if (wait.holds(() -> takeStart(failure == null && exchange.mayWait()))) {
            exchange.start();
        } else {
            awaitFirst();
        }
    }

    @Override
    public void data(HttpExchange http, ByteBuffer received) {
        boolean start;
        wait.lock();
        try {
            if (closed) {
                return;
            }
            append(received);
            if (to - from >= pauseAt && !paused) {
                paused = true;
                http.pauseBody();
            }
            start = takeStart(to - from >= bytesFirst);
        } finally {
            wait.unlock();
        }
        if (start) {
            cancelLateStart();
            exchange.startBesideBody();
        } else {
            wait.signal();
        }
    }

    private void cancelLateStart() {
        ScheduledTask late = startLate;
        if (late != null) {
            late.cancel();
        }
    }

    @Override
    public void end(HttpExchange http, HttpFields trailers) {
        boolean start = wait.holds(() -> {
            complete = true;
            return takeStart(true);
        });
        if (start) {
            cancelLateStart();
            exchange.start();
        } else {
            wait.signal();
        }
    }

    @Override
    public void failed(HttpExchange http, Throwable cause) {
        wait.lock();
        try {
            failure = cause;
            if (!started) { // the handler is never called
                exchange.complete();
            }
        } finally {
            wait.unlock();
        }
        cancelLateStart();
        wait.signal();
    }

    private void append(ByteBuffer received) {
        int count = received.remaining();
        if (bytes.length - to < count) {
            int waiting = to - from;
            byte[] room = bytes.length - waiting >= count
                    ? bytes
                    : new byte[Math.max(waiting + count, Math.max(INITIAL, 2 * bytes.length))];
            System.arraycopy(bytes, from, room, 0, waiting);
            bytes = room;
            from = 0;
            to = waiting;
        }
        received.get(bytes, to, count);
        to += count;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        exchange.await(wait, this::isReadable);
        int count;
        boolean resume;
        wait.lock();
        try {
            if (closed) {
                throw new IOException("Stream is closed");
            }
            count = Math.min(length, to - from);
            if (count == 0 && !complete) {
                throw new IOException("connection closed before all data received", failure);
            }
            System.arraycopy(bytes, from, into, offset, count);
            from += count;
            resume = mayResume();
        } finally {
            wait.unlock();
        }
        resumeIf(resume);
        return count == 0 ? -1 : count;
    }

    private boolean isReadable() {
        return to > from || complete || closed || failure != null;
    }

    private boolean mayResume() {
        boolean resume = paused && (closed || to - from <= pauseAt / 2);
        paused &= !resume;
        return resume;
    }

    private void resumeIf(boolean resume) {
        if (resume) {
            try {
                exchange.http().resumeBody();
            } catch (RejectedExecutionException gone) {
                return; // failed reports the end of the connection
            }
        }
    }

    @Override
    public int available() throws IOException {
        wait.lock();
        try {
            return closed ? 0 : to - from;
        } finally {
            wait.unlock();
        }
    }

    /** Drops unread bytes. Does not wait for the rest of the body. The connection drops the rest on arrival. */
    @Override
    public void close() {
        boolean resume;
        wait.lock();
        try {
            closed = true;
            bytes = new byte[0];
            from = 0;
            to = 0;
            resume = mayResume();
        } finally {
            wait.unlock();
        }
        resumeIf(resume);
        wait.signal();
    }
}
