package org.cabrank.http.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.ResponseHead;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.BufferViews;
import org.cabrank.stream.transport.StreamConnection;

/** A connection of a client: one request at a time. Fields belong to its callbacks, but for those that are set before the first. */
final class ClientConnection implements ConnectionHandler {
    /** Stands for no connection. */
    static final ClientConnection NONE = new ClientConnection();

    /** Named bound: interim responses (1xx) to one request; more are no response. */
    private static final int INTERIM_MAX = 32;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final OriginPool pool;
    private final ResponseHead head;
    private final BodyDecoder body;
    private volatile Connection connection;

    /** The request whose response is awaited; null: none. Set before the connection is made, and then by its callbacks. */
    private PendingCall current;

    private int interims;
    private boolean inBody;

    /** Bytes had come behind the last byte of the body when its last piece was received: they answer no request. */
    private boolean more;

    /** The connection has served a request before. */
    private boolean reused;

    /** The response does not let the connection stay. */
    private boolean last;

    private boolean paused;
    private boolean released;
    private int waits;
    private BufferViews.View lent;

    private ClientConnection() {
        pool = null;
        head = null;
        body = null;
    }

    ClientConnection(OriginPool pool, PendingCall first) {
        this.pool = pool;
        this.current = first;
        first.startsOn(this);
        head = new ResponseHead(pool.options().limits());
        body = new BodyDecoder(pool.options().limits());
        head.begin();
    }

    // ---- requests ----

    /** The connection could not be made. */
    void notConnected(Throwable cause) {
        PendingCall failed = current;
        current = null;
        release();
        if (failed != null) {
            failed(failed, cause);
        }
    }

    @Override
    public void opened(Connection opened) {
        connection = opened;
        write();
    }

    /** Any thread that has taken this connection out of the pool: sends the request. */
    void start(PendingCall call) {
        call.startsOn(this);
        try {
            connection.execute(() -> {
                current = call;
                write();
            });
        } catch (RejectedExecutionException gone) {
            connection.abort(); // without the request nobody would close a connection whose mailbox is full
            repeatOrFail(call, gone);
        }
    }

    private void write() {
        long leftNs = current.leftNs();
        if (leftNs <= 0) {
            fail(OriginPool.late(current));
            connection.close();
            return;
        }
        if (leftNs == Long.MAX_VALUE) {
            connection.deadline(StreamTimeouts.NEVER);
        } else {
            Duration left = Duration.ofNanos(leftNs);
            connection.deadline(left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
        }
        ByteBuffer first = ByteBuffer.wrap(current.call.head());
        try {
            if (current.call.content() == null) {
                connection.write(first);
            } else {
                connection.write(first, ByteBuffer.wrap(current.call.content()));
            }
        } catch (WriteQueueFullException tooLong) {
            fail(tooLong);
            connection.close();
        }
    }

    // ---- responses ----

    @Override
    public void data(Connection own, ByteBuffer data) throws Exception {
        int before = waits;
        while (waits == before && connection.isReceiving()) {
            if (current == null) {
                if (data.hasRemaining()) {
                    throw new ProtocolException("the server has sent bytes without a request");
                }
                return;
            }
            if (!(inBody ? receiveBody(data) : receiveHead(data))) {
                return;
            }
        }
    }

    private boolean receiveHead(ByteBuffer data) throws Exception {
        if (!data.hasRemaining()) {
            return false;
        }
        int result = head.parse(data);
        if (result == ResponseHead.INCOMPLETE) {
            return false;
        }
        if (result == ResponseHead.MALFORMED
                || head.hasOtherCoding()
                || head.status() == HttpStatus.SWITCHING_PROTOCOLS) {
            throw new ProtocolException("the server has sent what is no response to " + current.call);
        }
        data.position(data.position() + head.bytes());
        if (HttpStatus.isInterim(head.status())) {
            if (++interims > INTERIM_MAX) {
                throw new ProtocolException(
                        "the server has sent more than " + INTERIM_MAX + " interim responses to " + current.call);
            }
            head.begin();
            return true;
        }
        long length = head.bodyLength(current.call.method().equals("HEAD"));
        if (length > pool.options().limits().bodyBytes()) {
            throw tooLong();
        }
        body.begin(length);
        last = !head.keepsAlive() || body.lastsUntilEnd();
        inBody = true;
        more = data.hasRemaining();
        current.handler.head(current, head.status(), head.fields());
        return true;
    }

    private boolean receiveBody(ByteBuffer data) throws Exception {
        int result = body.next(data);
        if (result == BodyDecoder.INCOMPLETE) {
            return false;
        }
        if (result == BodyDecoder.PIECE) {
            int from = data.position();
            body.taken(data);
            more = data.hasRemaining();
            BufferViews.View view = BufferViews.of(data);
            lent = view;
            try {
                current.handler.data(current, view.lend(from, data.position()));
            } finally {
                view.takeBack();
            }
            return true;
        }
        if (result != BodyDecoder.END) {
            throw result == HttpStatus.CONTENT_TOO_LARGE
                    ? tooLong()
                    : new ProtocolException("the body of the response to " + current.call + " is malformed");
        }
        more = data.hasRemaining();
        complete();
        return false;
    }

    private ProtocolException tooLong() {
        return new ProtocolException("the body of the response to " + current.call + " exceeds its limit of "
                + pool.options().limits().bodyBytes() + " bytes: raise HttpLimits.bodyBytes");
    }

    /**
     * The response is complete. Bytes behind it would be taken for the response to the next request, so the connection is closed (RFC 9112
     * section 11.1).
     */
    private void complete() throws Exception {
        PendingCall done = current;
        current = null;
        boolean givenUp = !done.end();
        last |= more || givenUp || isRequestUnsent();
        inBody = false;
        interims = 0;
        reused = true;
        head.begin();
        connection.deadline(pool.options().idle()); // first: the next request sets its own
        PendingCall next = last ? null : pool.nextOrKeep(this);
        if (next != null) {
            start(next);
        } else if (last || pool.isClosed()) {
            connection.close();
        }
        // Last: whoever has the response may send the next request on this connection.
        done.handler.end(done, body.trailers());
    }

    /** Returns true if the server has answered before it has taken the whole request: it may close the connection, and not read the rest. */
    private boolean isRequestUnsent() {
        if (connection.queuedBytes() > 0) {
            connection.flush(); // as far as the socket takes bytes now
        }
        StreamConnection below = StreamConnection.below(connection);
        return connection.queuedBytes() > 0 || below != null && below.hasOutputFailed();
    }

    @Override
    public void inputClosed(Connection own, ByteBuffer unread) throws Exception {
        if (inBody && body.lastsUntilEnd()) {
            complete();
        } else if (current == null) {
            pool.takeOut(this);
        }
        connection.close();
    }

    @Override
    public void deadlinePassed(Connection own) {
        if (current != null) {
            fail(OriginPool.late(current));
            connection.abort();
        } else if (pool.takeOut(this)) {
            connection.close();
        } else {
            connection.deadline(StreamTimeouts.NEVER); // a request is on its way, which sets its own
        }
    }

    @Override
    public void draining(Connection own) {
        if (current == null) {
            pool.takeOut(this);
            connection.close();
        }
    }

    @Override
    public void beforeNestedWait(Connection own) {
        waits++;
        body.forgetTrailers();
        if (lent != null) {
            lent.empty();
            lent = null;
        }
    }

    @Override
    public void closed(Connection own, Throwable cause) {
        pool.takeOut(this);
        PendingCall unanswered = current;
        current = null;
        if (unanswered != null) {
            boolean nothing = !inBody && !head.hasBegun();
            Throwable reason = cause == null
                    ? new EOFException("the server has closed the connection before the response to " + unanswered.call)
                    : cause;
            release();
            if (nothing && reused) {
                repeatOrFail(unanswered, reason);
            } else {
                failed(unanswered, reason);
            }
            return;
        }
        release();
    }

    private void repeatOrFail(PendingCall call, Throwable reason) {
        if (!call.call.isIdempotent() || call.repeated || call.leftNs() <= 0) {
            failed(
                    call,
                    reason instanceof RejectedExecutionException
                            ? new IOException("the server has closed the connection", reason)
                            : reason);
            return;
        }
        call.repeated = true;
        pool.resubmit(call);
    }

    private void fail(Throwable cause) {
        PendingCall failed = current;
        current = null;
        failed(failed, cause);
    }

    private static void failed(PendingCall call, Throwable cause) {
        call.end();
        call.handler.failed(cause);
    }

    private void release() {
        if (!released) {
            released = true;
            pool.released();
        }
    }

    void close() {
        connection.close();
    }

    // ---- for handlers ----

    void pause(PendingCall call) {
        if (!connection.isInCallback()) {
            throw new IllegalStateException("only a callback of the response may pause it");
        }
        if (call == current && !paused) {
            paused = true;
            connection.pauseReading();
        }
    }

    /** Any thread. */
    void resume(PendingCall call) {
        inCallback(call, () -> {
            if (call == current && paused) {
                paused = false;
                connection.resumeReading();
                if (inBody && body.hasEnded()) {
                    completeWithoutBytes();
                }
            }
        });
    }

    /** No byte is to come, whose receipt would complete the response. */
    private void completeWithoutBytes() {
        try {
            complete();
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IllegalStateException("the handler of a response has failed", failed);
        }
    }

    /** Any thread. */
    void abort(PendingCall call) {
        if (!connection.isInCallback()) {
            inCallback(call, () -> abort(call));
        } else if (call == current) {
            connection.abort();
        }
    }

    /** Resets the connection of a call that could not continue, because the mailbox is full. */
    private void inCallback(PendingCall call, Runnable task) {
        try {
            connection.execute(task);
        } catch (RejectedExecutionException full) {
            if (call.giveUp()) {
                connection.abort(); // perhaps it has ended: then nothing happens
            }
        }
    }
}
