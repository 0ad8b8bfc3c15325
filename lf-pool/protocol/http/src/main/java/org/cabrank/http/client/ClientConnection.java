package org.cabrank.http.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.ResponseHead;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.StreamConnection;

/** A connection with one request at a time. Only callbacks use fields that are neither volatile nor guarded by the monitor. */
final class ClientConnection implements ConnectionHandler {
    private static final int INTERIM_MAX = 32;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Longest wait for the server's consent to the body of a request. Some servers never consent. */
    private static final Duration CONSENT = Duration.ofSeconds(1);

    /** State of the connection's place in its pool. The pool limits the number of places. */
    private enum Place {
        ATTEMPTED,
        TAKEN,
        GONE
    }

    private final OriginPool pool;

    /** The request that the connection is made for; null after the attempt to connect. Guarded by the monitor. */
    private PendingCall first;

    /** Guarded by the monitor. */
    private Place place = Place.ATTEMPTED;

    private final ResponseHead head;
    private final BodyReceiver body;
    private volatile Connection connection;
    private PendingCall current;

    /** The last request, if its response is complete, but {@link #bodyWritten} was not called yet. Otherwise null. */
    private PendingCall unwritten;

    private int interims;
    private boolean inBody;

    /** True if the deadline of the connection bounds the wait for the server's consent to the body. */
    private boolean consentTimed;

    private boolean reused;
    private boolean last;

    private boolean paused;

    /** True while {@link HttpResponseHandler#end} runs. The next request must wait until it returns. */
    private volatile boolean inHandler;

    private int waits;

    ClientConnection(OriginPool pool, PendingCall first) {
        this.pool = pool;
        this.first = first;
        head = new ResponseHead(pool.options.limits());
        body = new BodyReceiver(pool.options.limits());
        head.begin();
    }

    void connectFailed(Throwable refused) {
        PendingCall failed = takeFirstCall();
        if (failed != null) {
            release();
            failed.fail(refused);
        }
    }

    private synchronized PendingCall takeFirstCall() {
        PendingCall call = first;
        first = null;
        return call;
    }

    /** Called after the attempt to connect. Returns false if the connection is gone. The caller must then free its place in the pool. */
    synchronized boolean isUsableAfterAttempt() {
        if (place == Place.ATTEMPTED) {
            place = Place.TAKEN;
        }
        return place == Place.TAKEN;
    }

    private void release() {
        boolean notifies;
        synchronized (this) {
            notifies = place == Place.TAKEN;
            place = Place.GONE;
        }
        if (notifies) {
            pool.released();
        }
    }

    @Override
    public void opened(Connection opened) {
        connection = opened;
        PendingCall call = takeFirstCall();
        if (call == null) {
            connection.abort(); // the request has failed during the attempt to connect
            return;
        }
        try {
            pool.options.limits().requireFit(opened.limits());
        } catch (IllegalArgumentException misfit) {
            call.fail(new IOException(misfit.getMessage(), misfit));
            close();
            return;
        }
        begin(call);
    }

    /** Called by any thread that has taken this connection out of the pool. Returns false if the connection takes no request. */
    boolean start(PendingCall call) {
        if (inHandler) {
            call.waitsIn(pool); // the handler may block
        }
        try {
            connection.execute(() -> {
                if (connection.isReceiving()) {
                    begin(call);
                } else { // the connection was closed, and the request is not sent
                    pool.resubmit(call);
                }
            });
            return true;
        } catch (Throwable refused) { // the connection is gone, or memory or stack for the task is missing
            connection.abort(); // without the request, a connection whose mailbox is full would not be closed
            return false;
        }
    }

    /** Called in a callback. Sends {@code call}, or the next waiting request if {@code call} has failed. */
    private void begin(PendingCall call) {
        for (PendingCall next = call; next != null; next = connection.isReceiving() ? pool.nextOrKeep(this) : null) {
            if (next.sendsOn(this)) {
                current = next;
                write();
                return;
            }
        }
        if (!connection.isReceiving() || pool.isClosed()) {
            close();
        } else {
            connection.deadline(pool.options.idle());
        }
    }

    private void write() {
        PendingCall own = current;
        try {
            connection.write(ByteBuffer.wrap(own.call.head()));
        } catch (WriteQueueFullException tooLong) {
            fail(tooLong);
            close();
            return;
        }
        Duration left = left();
        boolean asks = own.call.expectsContinue();
        consentTimed = asks && (left.equals(StreamTimeouts.NEVER) || left.compareTo(CONSENT) > 0);
        connection.deadline(consentTimed ? CONSENT : left);
        if (!asks && own.call.upload() != null) {
            writeBody(own);
        }
    }

    private Duration left() {
        long leftNs = current.leftNs();
        if (leftNs == Long.MAX_VALUE) {
            return StreamTimeouts.NEVER;
        }
        Duration left = Duration.ofNanos(leftNs);
        if (left.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return left.compareTo(StreamTimeouts.MAX) > 0 ? StreamTimeouts.MAX : left;
    }

    private void writeBody(PendingCall own) {
        try {
            own.beginBody();
        } catch (Exception failed) {
            if (own == current) {
                fail(failed);
            }
            connection.abort();
        }
    }

    private void continueBody() {
        connection.deadline(left());
        writeBody(current);
    }

    private boolean waitsForConsent() {
        return current != null && current.call.expectsContinue() && !current.isBodyBegun();
    }

    @Override
    public void data(Connection own, ByteBuffer data) throws Exception {
        int before = waits;
        while (waits == before && connection.isReceiving()) {
            if (current == null) {
                if (data.hasRemaining()) { // many servers send a 408 before they close an idle connection
                    pool.takeOut(this);
                    connection.abort();
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
        HttpLimits limits = pool.options.limits();
        if (result == ResponseHead.TOO_LONG) {
            throw new ProtocolException("the head of the response to " + current.call + " exceeds its limit of "
                    + limits.headBytes() + " bytes: raise HttpLimits.headBytes");
        }
        if (result == ResponseHead.TOO_MANY_FIELDS) {
            throw new ProtocolException("the head of the response to " + current.call + " exceeds its limit of "
                    + limits.fields() + " fields: raise HttpLimits.fields");
        }
        long length = result == ResponseHead.COMPLETE
                ? head.bodyLength(current.call.method().equals("HEAD"))
                : ResponseHead.UNCLEAR;
        if (length == ResponseHead.UNCLEAR || head.status() == HttpStatus.SWITCHING_PROTOCOLS) {
            throw new ProtocolException("the server has sent what is no response to " + current.call);
        }
        data.position(data.position() + head.bytes());
        last |= !head.keepsAlive();
        if (HttpStatus.isInterim(head.status())) {
            if (++interims > INTERIM_MAX) {
                throw new ProtocolException(
                        "the server has sent more than " + INTERIM_MAX + " interim responses to " + current.call);
            }
            boolean consent = head.status() == HttpStatus.CONTINUE && waitsForConsent();
            head.begin();
            if (consent) {
                continueBody();
            }
            return true;
        }
        if (waitsForConsent() || last && head.status() >= HttpStatus.BAD_REQUEST) {
            last = true;
            connection.deadline(left());
            current.refuseBody();
        }
        body.begin(length, data.hasRemaining(), current);
        last |= body.lastsUntilEnd();
        inBody = true;
        if (current.call.decodes() && length != 0) {
            body.decode(head.fields(), current);
        }
        current.handler.head(current, head.status(), head.fields());
        return true;
    }

    private boolean receiveBody(ByteBuffer data) throws Exception {
        int result = body.receive(data, current);
        if (result == BodyDecoder.END) {
            complete();
        }
        return result == BodyDecoder.PIECE;
    }

    /** Ends the request. Closes the connection if more bytes follow, because the next request would get them (RFC 9112 section 11.1). */
    private void complete() throws Exception {
        PendingCall done = current;
        current = null;
        boolean givenUp = !done.endResponse();
        boolean written = !done.isBodyGiven();
        last |= body.hasMore() || givenUp || written && isRequestUnsent(done);
        inBody = false;
        interims = 0;
        reused = true;
        head.begin();
        connection.deadline(pool.options.idle()); // set first, because the next request sets its own deadline
        inHandler = true;
        try {
            if (last || written) {
                serveNext();
            } else {
                unwritten = done;
            }
            // last, because the receiver of the response may send the next request on this connection
            done.handler.end(done, body.trailers());
        } finally {
            inHandler = false;
        }
    }

    private void serveNext() {
        PendingCall next = last ? null : pool.nextOrKeep(this);
        if (next == null && (last || pool.isClosed())) {
            close();
        } else if (next != null && !start(next)) {
            pool.resubmit(next);
        }
    }

    /** Returns true if the response came before all of the request was sent. The server may then close without reading the rest. */
    private boolean isRequestUnsent(PendingCall done) {
        if (!done.isBodyWritten()) {
            done.refuseBody();
            return true;
        }
        if (connection.queuedBytes() > 0) {
            connection.flush(); // writes as many bytes as the socket takes now
        }
        StreamConnection below = StreamConnection.below(connection);
        return connection.queuedBytes() > 0 || below != null && below.outputFailure() != null;
    }

    @Override
    public void inputClosed(Connection own, ByteBuffer unread) throws Exception {
        if (inBody && body.lastsUntilEnd()) {
            body.end(current);
            complete();
        } else if (current != null) {
            // No response follows. An orderly close would first send the rest of the request, and delay the failure.
            connection.abort();
            return;
        } else {
            pool.takeOut(this);
        }
        close();
    }

    @Override
    public void deadlinePassed(Connection own) {
        if (consentTimed && waitsForConsent()) {
            continueBody();
        } else if (current != null) {
            fail(current.late());
            connection.abort();
        } else if (unwritten != null || pool.takeOut(this)) {
            close();
        } else {
            connection.deadline(StreamTimeouts.NEVER); // the next request sets its own deadline
        }
    }

    @Override
    public void draining(Connection own) {
        if (current == null) {
            pool.takeOut(this);
            close();
        }
    }

    @Override
    public void beforeNestedWait(Connection own) {
        waits++;
        body.takeBack();
        if (inBody && body.hasEnded()) {
            PendingCall waiting = current;
            inCallback(waiting, () -> endWithoutBytes(waiting));
        }
    }

    @Override
    public void closed(Connection own, Throwable cause) {
        body.close();
        pool.takeOut(this);
        PendingCall unanswered = current == null ? takeFirstCall() : current;
        current = null;
        release();
        if (unanswered == null) {
            return;
        }
        boolean nothing = !inBody && !head.hasBegun() && interims == 0;
        Throwable reason = cause == null
                ? new EOFException("the server has closed the connection before the response to " + unanswered.call)
                : cause;
        if (nothing && reused && unanswered.sendsAgain()) {
            pool.resubmit(unanswered);
        } else {
            unanswered.fail(reason);
        }
    }

    private void fail(Throwable cause) {
        PendingCall failed = current;
        current = null;
        inBody = false; // if the handler waits, the end of the body must not complete the failed call
        failed.fail(cause);
    }

    /** Closes the connection. Frees its place in the pool at once, because the server may be slow to close its side. */
    void close() {
        release();
        connection.close();
    }

    Connection connection() {
        return connection;
    }

    boolean isWritable() {
        return connection.queuedBytes() <= connection.limits().highWatermark() / 4;
    }

    void whenWritable(PendingCall call, Runnable task) {
        inCallback(call, () -> {
            if (call != current) {
                return;
            }
            if (isWritable()) {
                task.run();
            } else {
                connection.whenWritten((own, failure) -> {
                    if (failure == null && call == current) {
                        task.run();
                    }
                });
            }
        });
    }

    void endBody(PendingCall call) {
        if (connection.isInCallback()) {
            bodyWritten(call);
        } else {
            inCallback(call, () -> bodyWritten(call));
        }
    }

    private void bodyWritten(PendingCall call) {
        call.bodyWritten();
        if (call == unwritten) {
            unwritten = null;
            last |= !connection.isReceiving() || isRequestUnsent(call);
            serveNext();
        }
    }

    void pause(PendingCall call) {
        if (!connection.isInCallback()) {
            throw new IllegalStateException("only a callback of the response may pause it");
        }
        if (call == current && !paused) {
            paused = true;
            connection.pauseReading();
        }
    }

    void resume(PendingCall call) {
        inCallback(call, () -> {
            if (call == current && paused) {
                paused = false;
                connection.resumeReading();
                endWithoutBytes(call);
            }
        });
    }

    /** Completes a response that was paused or has waited after its last byte, because no further byte will arrive and complete it. */
    private void endWithoutBytes(PendingCall call) {
        if (call != current || !inBody || paused || !body.hasEnded()) {
            return;
        }
        try {
            body.end(current);
        } catch (ProtocolException malformed) {
            fail(malformed);
            connection.abort();
            return;
        }
        try {
            complete();
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IllegalStateException("the handler of a response has failed", failed);
        }
    }

    void abort(PendingCall call) {
        if (!connection.isInCallback()) {
            inCallback(call, () -> abort(call));
        } else if (call == current) {
            connection.abort();
        }
    }

    /** Runs {@code task} in a callback. If the mailbox is full, the call cannot continue, and its connection is reset. */
    private void inCallback(PendingCall call, Runnable task) {
        try {
            connection.execute(task);
        } catch (RejectedExecutionException full) {
            if (call.giveUp()) {
                connection.abort(); // no effect if the connection has ended
            }
        }
    }
}
