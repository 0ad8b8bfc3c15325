package org.cabrank.http;

import java.io.EOFException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.FieldTable;
import org.cabrank.http.wire.GzipDecoder;
import org.cabrank.http.wire.RequestHead;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.AnsweringHandler;

/**
 * Serves the requests of one connection, one after the other. Until an answer is complete, the bytes of the next request stay unread, and
 * reading is paused.
 *
 * <p>Only callbacks of the connection use the fields. Other threads read only volatile fields. Invariant: an exchange ends, and the next
 * request is read, only in a callback, after all bytes of the answer were written. If another thread writes the answer, the bytes and then
 * the end of the answer reach the callbacks as mail.
 */
final class HttpConnection implements ConnectionHandler, AnsweringHandler {
    private final HttpService service;
    private final RequestHead head;
    private final BodyDecoder body;
    private final HttpClock clock;
    private final ExchangeCalls calls;
    private final OutputRoom room = new OutputRoom();
    private final Runnable answerMailed = this::answerMailed;

    private Connection connection;

    /** The current or the last exchange. The next request reuses the last exchange. Null if the last exchange was detached. */
    private HttpExchange exchange;

    /** True while the answer or the body of a request is incomplete. */
    private boolean active;

    /** True while bytes of the body are missing, or while {@link HttpBody#end} must still be called. */
    private boolean bodyOpen;

    private boolean bodyBegun;
    private boolean bodyPaused;

    private boolean headKept;

    private ByteBuffer keptHead = FieldTable.GONE;

    private boolean more;

    /** True if the connection gives no further answer. Bytes that arrive later are dropped. */
    private boolean ended;

    private boolean replaced;

    /** True during the loop over received bytes. When an exchange ends during the loop, the loop reads the next request. */
    private boolean inLoop;

    /** True if a request has begun since the timer was last started. The time of its body must then start again. */
    private boolean requestBegun;

    /** Number of nested waits so far. If it changes during a callback, other callbacks may have run since the callback began. */
    private int waits;

    private volatile boolean paused;

    /** True if the end of the peer's output is held back until the answer of the exchange is complete. */
    private boolean endHeld;

    private volatile boolean draining;
    private volatile boolean inputEnded;

    HttpConnection(HttpService service) {
        this.service = service;
        head = new RequestHead(service.limits);
        body = new BodyDecoder(service.limits);
        clock = new HttpClock(service.timeouts);
        calls = new ExchangeCalls(service);
        head.begin();
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void opened(Connection opened) {
        service.limits.requireFit(opened.limits());
        connection = opened;
        clock.startTimer(connection, HttpClock.Awaited.REQUEST, false);
    }

    @Override
    public void data(Connection own, ByteBuffer data) {
        connection = own;
        int before = waits;
        inLoop = true;
        requestBegun = false;
        serve(data, before);
        if (waits != before || replaced) {
            return;
        }
        inLoop = false;
        if (active) {
            keepHead();
        }
        if (ended) {
            data.position(data.limit());
        } else {
            clock.startTimer(connection, awaited(), requestBegun);
        }
    }

    /** Serves the received bytes. If a callback has waited, returns early, because another thread may serve the connection. */
    private void serve(ByteBuffer data, int before) {
        while (!ended && waits == before && connection.isReceiving()) {
            if (!active) {
                if (!data.hasRemaining() || requestBegun && room.isFull(connection)) {
                    return;
                }
                int result = head.parse(data);
                if (result == RequestHead.INCOMPLETE) {
                    return;
                }
                if (result != RequestHead.COMPLETE) {
                    refuse(result);
                    return;
                }
                requestBegun = true;
                begin(data);
            } else if (bodyOpen) {
                if (!serveBody(data)) {
                    return;
                }
            } else if (!isOver(data)) {
                return;
            }
        }
    }

    private void begin(ByteBuffer data) {
        if (exchange == null) {
            exchange = new HttpExchange(this, head);
        }
        exchange.begin();
        active = true;
        headKept = false;
        bodyBegun = false;
        bodyPaused = false;
        body.begin(head.framing().bodyLength());
        // The position moves before the call, because callbacks during a nested wait continue behind the head.
        data.position(data.position() + head.bytes());
        bodyOpen = !body.hasEnded();
        more = !bodyOpen && data.hasRemaining();
        HttpExchange own = exchange;
        int before = waits;
        calls.request(own);
        if (waits == before) {
            openBody(own);
        }
    }

    private boolean serveBody(ByteBuffer data) {
        int result = body.next(data);
        if (result == BodyDecoder.INCOMPLETE) {
            return false;
        }
        if (result == BodyDecoder.PIECE) {
            bodyBegun = true;
            if (exchange.decoder() != null && exchange.isOpen()) {
                return serveDecoded(data);
            }
            int from = data.position();
            body.taken(data);
            more = isMoreThanBody(data);
            if (exchange.receiver() != null && exchange.isOpen()) {
                calls.piece(exchange, data, from);
            }
            return true;
        }
        if (result != BodyDecoder.END) {
            refuseBody(result, new ProtocolException("the body is refused with status " + result));
            return false;
        }
        more = data.hasRemaining();
        endBody();
        return true;
    }

    /** Set before the receiver gets the last piece, because it may answer then. */
    private boolean isMoreThanBody(ByteBuffer data) {
        return body.hasEnded() && data.hasRemaining();
    }

    private boolean serveDecoded(ByteBuffer data) {
        GzipDecoder decoder = exchange.decoder();
        int result = decoder.next(body, data);
        more = isMoreThanBody(data);
        if (result == BodyDecoder.PIECE) {
            calls.piece(exchange, decoder.piece(), 0);
        } else if (result != BodyDecoder.INCOMPLETE) {
            refuseBody(
                    result,
                    new ProtocolException(
                            result == HttpStatus.CONTENT_TOO_LARGE
                                    ? "the body becomes longer than " + service.limits.bodyBytes()
                                            + " bytes: raise HttpLimits.bodyBytes"
                                    : "the body has no valid gzip"));
            return false;
        }
        return true;
    }

    long bodyBytesMax() {
        return service.limits.bodyBytes();
    }

    private void endBody() {
        bodyOpen = false;
        HttpExchange own = exchange;
        if (own.receiver() == null || !own.isOpen()) {
            return;
        }
        if (own.decoder() != null && !own.decoder().isComplete()) {
            refuseBody(HttpStatus.BAD_REQUEST, new ProtocolException("the body ends before its gzip does"));
            return;
        }
        calls.end(own, body.trailers());
    }

    void call(HttpExchange own, ExchangeCalls.ServiceCall call) {
        int before = waits;
        boolean named = own.receiver() != null;
        calls.continuation(own, call);
        if (waits == before && !replaced) {
            openBody(own);
            if (own == exchange && active && connection.isReceiving()) {
                clock.startTimer(connection, awaited(), !named && own.receiver() != null);
            }
            continueOutsideLoop(own);
        }
    }

    /** An empty body stays open until {@link HttpBody#end} is called. */
    private void openBody(HttpExchange own) {
        bodyOpen |= active && !ended && own.receiver() != null && !own.isBodyNoted();
        own.permitBody();
    }

    private void continueOutsideLoop(HttpExchange own) {
        int before = waits;
        if (bodyOpen && !bodyPaused && body.hasEnded()) {
            endBody();
        }
        if (waits == before && own == exchange && own.output.isDone()) {
            afterAnswer();
        }
    }

    /** Ends the exchange and returns true if its answer is complete. Otherwise returns false, and pauses reading if bytes wait. */
    private boolean isOver(ByteBuffer data) {
        if (!exchange.output.isDone()) {
            if (!data.hasRemaining()) {
                return false;
            }
            paused = true;
            connection.pauseReading();
            return false;
        }
        endExchange();
        return true;
    }

    private void endExchange() {
        active = false;
        exchange.endDecoding();
        ended |= exchange.output.closes();
        if (exchange.isDetached()) {
            exchange = null; // the service may still hold a detached exchange
        }
        head.begin();
    }

    /** Called by any thread when the answer is complete. In a callback, {@code direct} is true, and no byte of the answer waits as mail. */
    void answered(HttpExchange own, boolean direct) {
        if (!direct) {
            try {
                connection.execute(answerMailed);
            } catch (RejectedExecutionException full) {
                connection.abort(); // without the task the exchange cannot end; no effect if the connection is gone
            }
            return;
        }
        afterOutput(own);
        if (!inLoop) {
            afterAnswer();
        }
    }

    private void answerMailed() {
        if (exchange == null) {
            return; // the connection is gone
        }
        exchange.output.finish();
        afterOutput(exchange);
        afterAnswer();
    }

    /** Closes the connection after its last answer. After any other answer, resumes a paused body, to drop the rest of the body. */
    private void afterOutput(HttpExchange own) {
        if (own.output.closes()) {
            connection.close();
        } else if (own == exchange) {
            resumeBody(own);
        }
    }

    private void afterAnswer() {
        if (!active || bodyOpen || !exchange.output.isDone() || replaced) {
            return;
        }
        endExchange();
        if (paused || endHeld) {
            paused = false;
            endHeld = false;
            connection.resumeReading();
        } else if (draining || inputEnded) {
            connection.close();
        }
        if (!ended) {
            clock.startTimer(connection, awaited(), true);
        }
    }

    @Override
    public boolean mayAnswer() {
        endHeld = active && !bodyOpen && !exchange.output.isDone();
        return endHeld;
    }

    /** Returns true if the connection must end after the answer that begins now. Any thread may call this method. */
    boolean isLastAnswer() {
        if (more || paused) {
            return false; // requests that arrived before the end are still answered
        }
        return inputEnded || draining || connection.isDraining() || service.isEnding();
    }

    @Override
    public void writable(Connection own) {
        room.writable(connection);
    }

    void whenWritable(Runnable task) {
        connection.execute(() -> {
            if (!room.runOrAwait(connection, task)) {
                clock.startTimer(connection, awaited(), false);
            }
        });
    }

    boolean hasBodyBegun() {
        return bodyBegun;
    }

    boolean isBodyPaused() {
        return bodyPaused;
    }

    void pauseBody(HttpExchange own) {
        if (!connection.isInCallback()) {
            throw new IllegalStateException("only a callback of the body may pause it");
        }
        if (own == exchange && bodyOpen && !bodyPaused) {
            bodyPaused = true;
            connection.pauseReading();
        }
    }

    void resumeBody(HttpExchange own) {
        if (!connection.isInCallback()) {
            connection.execute(() -> resumeBody(own));
        } else if (own == exchange && bodyPaused) {
            bodyPaused = false;
            own.permitBody();
            connection.resumeReading();
            if (!inLoop) {
                clock.startTimer(connection, awaited(), true);
                continueOutsideLoop(own);
            }
        }
    }

    void letGo() {
        if (!connection.isInCallback()) {
            throw new IllegalStateException("only a callback can let go of its connection");
        }
        calls.letGo(connection.newReply());
    }

    /** Copies the head out of the received bytes, whose memory serves other connections after the callback. */
    void keepHead() {
        if (headKept || !active) {
            return;
        }
        int bytes = head.bytes();
        if (keptHead.capacity() < bytes) {
            keptHead = ByteBuffer.allocate(Math.max(bytes, 2 * keptHead.capacity()));
        }
        head.moveTo(keptHead, exchange.views);
        headKept = true;
    }

    void requireMayReplace() {
        if (!connection.isInCallback() || bodyOpen) {
            throw new IllegalStateException(
                    "the protocol is changed in a callback, by a request without a body or one whose body has come");
        }
    }

    void replace(ConnectionHandler next) {
        replaced = true;
        service.upgraded.increment();
        connection.deadline(StreamTimeouts.NEVER);
        connection.replaceHandler(next);
        if (paused) {
            connection.resumeReading();
        }
    }

    private void refuse(int status) {
        ended = true;
        service.refused.increment();
        try {
            connection.write(HttpOutput.refusal(status, head.isHead()));
            // close() waits until queued bytes are sent and the peer has ended its output, so no reset overtakes the
            // answer
            connection.close();
        } catch (WriteQueueFullException full) {
            connection.abort();
        }
    }

    private void refuseBody(int status, Exception cause) {
        ended = true;
        bodyOpen = false;
        service.refused.increment();
        HttpExchange own = exchange; // the field becomes null if the receiver answers a detached exchange
        HttpBody receiver = own.receiver();
        if (receiver != null && own.isOpen()) {
            receiver.failed(own, cause);
        }
        try {
            if (!own.output.refuse(status, true) && own.isOpen()) {
                connection.abort(); // the answer has begun
            } else {
                connection.close();
            }
        } catch (WriteQueueFullException full) {
            connection.abort();
        }
    }

    private HttpClock.Awaited awaited() {
        if (connection.queuedBytes() > HttpClock.WATCHED_BYTES_MIN) {
            // Checked first, because reading is paused while answers are queued, so the client cannot continue its
            // request.
            return HttpClock.Awaited.ANSWERS_TAKEN;
        }
        if (active) {
            return bodyOpen && !bodyPaused && !exchange.isBodyUndecided()
                    ? HttpClock.Awaited.BODY
                    : HttpClock.Awaited.NOTHING;
        }
        return head.hasBegun() ? HttpClock.Awaited.HEAD : HttpClock.Awaited.REQUEST;
    }

    @Override
    public void deadlinePassed(Connection own) {
        switch (clock.awaited()) {
            case HEAD -> {
                service.timedOut.increment();
                refuse(HttpStatus.REQUEST_TIMEOUT);
            }
            case BODY -> {
                service.timedOut.increment();
                refuseBody(HttpStatus.REQUEST_TIMEOUT, new ProtocolException("the body has taken too long"));
            }
            case REQUEST -> {
                if (clock.takesAnswers(connection)) {
                    clock.arm(connection, awaited());
                } else {
                    service.idle.increment();
                    ended = true;
                    connection.close();
                }
            }
            case ANSWERS_TAKEN -> {
                if (clock.areAnswersTaken(connection)) {
                    clock.arm(connection, awaited());
                } else {
                    service.answersNotTaken.increment();
                    connection.abort(); // after close(), the kernel would keep unsent bytes for long
                }
            }
            case NOTHING -> clock.arm(connection, awaited());
        }
    }

    @Override
    public void inputClosed(Connection own, ByteBuffer unread) {
        inputEnded = true;
        if (!active || exchange.output.isDone()) {
            connection.close();
        } else if (bodyOpen) {
            refuseBody(HttpStatus.BAD_REQUEST, new EOFException("the client has ended its output in the body"));
        }
    }

    @Override
    public void draining(Connection own) {
        draining = true;
        if (!active || exchange.output.isDone()) {
            connection.close();
        }
    }

    @Override
    public void beforeNestedWait(Connection own) {
        waits++;
        inLoop = false;
        if (active && !replaced) {
            keepHead();
            exchange.share();
            openBody(exchange);
            clock.startTimer(connection, awaited(), requestBegun); // the limit of the head or of idling is over
            requestBegun = false;
        }
        body.forgetTrailers();
        if (bodyOpen && body.hasEnded()) { // it is empty or waits in its last piece: no further byte reports the end
            HttpExchange waiting = exchange;
            connection.execute(() -> continueOutsideLoop(waiting));
        }
        calls.beforeNestedWait();
        afterAnswer(); // if the callback has answered, nothing else reports the end of the exchange
    }

    @Override
    public void closed(Connection own, Throwable cause) {
        HttpExchange under = exchange;
        if (!active || under == null) {
            return;
        }
        under.endDecoding();
        if (bodyOpen && under.receiver() != null && under.isOpen()) {
            under.receiver().failed(under, cause == null ? new EOFException("the client has gone") : cause);
        }
        if (under.isOpen()) {
            under.gone(cause);
        }
        if (!headKept) {
            head.fields().show(FieldTable.GONE, 0);
        }
    }
}
