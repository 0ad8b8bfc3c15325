package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.DeadlineException;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.transport.DecoratorOutput;
import org.cabrank.stream.transport.StreamConnection;

/**
 * The TLS of one connection. The fields belong to the thread that runs a callback of the connection. If a callback of the service waits for
 * a reply, it gives up the connection and increments {@link #timesLetGo}. Afterwards the thread of this callback must not use the fields.
 */
final class TlsHandler implements ConnectionHandler {
    private static final System.Logger LOGGER = System.getLogger(TlsHandler.class.getName());

    private final Tls tls;

    private volatile ConnectionHandler handler;

    /** The future that {@link Tls#connect} has returned. Null for an accepted connection. */
    private final CompletableFuture<TlsConnection> connecting;

    private Connection raw;
    private TlsRecords records;
    private TlsHandshake handshake;

    /** Null before {@link #opened}, like {@link #raw}, {@link #records} and {@link #handshake}. */
    private TlsInput input;

    private TlsLink link;

    /** Number of nested waits that callbacks of the service have begun. */
    private int timesLetGo;

    /** Number of callbacks of the service that have begun a nested wait and have not returned yet. */
    private int waiting;

    private boolean handshaking = true;

    /** True if the peer has sent the first byte of its handshake. */
    private boolean begun;

    /** The first bytes of a client, if the context is chosen by name. Null when the engine has read all of them. */
    private ByteBuffer hello;

    private boolean insideCall;

    /** True if {@link ConnectionHandler#opened} of the service was called. */
    private boolean opened;

    /** Same as {@link #link}, but any thread may read it. Null before {@link ConnectionHandler#opened} of the service is called. */
    private volatile TlsLink established;

    /** True between the success of the handshake and {@link ConnectionHandler#opened} of the service. */
    private boolean openedDue;

    /** Cause of the end if the peer has ended the connection without a close_notify. Null before. */
    private SSLException truncation;

    /** Number of callbacks that have returned, but that {@link #waiting} still counts, because the mailbox was full when they returned. */
    private final AtomicInteger callbacksOver = new AtomicInteger();

    /** Number of ended pauses for which the service has got its unread plaintext again. */
    private int pausesSeen;

    /** True if {@link #redeliverSoon} could not hand over its work, because the mailbox was full. */
    private volatile boolean redeliveryPending;

    TlsHandler(Tls tls, ConnectionHandler handler, CompletableFuture<TlsConnection> connecting) {
        this.tls = tls;
        this.handler = handler;
        this.connecting = connecting;
    }

    @Override
    public void opened(Connection connection) throws Exception {
        raw = connection;
        records = new TlsRecords(tls, connection);
        handshake = new TlsHandshake(tls, this, connection, records, tls.boundOf(poolOf(connection)));
        input = new TlsInput(this, connection, records, handshake);
        tls.handshakesBegun.increment();
        raw.deadline(tls.handshakeTimeout);
        if (!tls.choosesByName()) {
            begin(null);
        }
        if (tls.client) {
            proceed(TlsRecords.NOTHING);
        }
    }

    private static LeaderFollowersPool poolOf(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        return below == null ? null : LeaderFollowersPool.of(below.handle().handleSet());
    }

    private void begin(String name) throws SSLException {
        EngineFactory engines = tls.enginesFor(name);
        SSLEngine engine = tls.newEngine(engines);
        link = new TlsLink(this, records, raw, engine, name);
        records.begin(engines, engine);
    }

    @Override
    public void data(Connection connection, ByteBuffer cipher) throws Exception {
        if (records.hasFailed() || input.isEndSeen()) {
            cipher.position(cipher.limit());
            return;
        }
        begun = true;
        if (records.engine() == null) {
            keepHello(cipher);
            String name = ClientHello.serverName(hello);
            if (name == ClientHello.INCOMPLETE && hello.remaining() < tls.handshakeBytesMax) {
                return;
            }
            beginByName(name == ClientHello.INCOMPLETE ? null : name);
        } else if (hello != null) {
            keepHello(cipher);
        }
        proceed(cipher);
    }

    /** Keeps bytes of the ClientHello, up to {@link Tls.Builder#handshakeBytesMax}. The limit of unread bytes does not apply. */
    private void keepHello(ByteBuffer cipher) {
        int kept = hello == null ? 0 : hello.remaining();
        int more = Math.min(cipher.remaining(), tls.handshakeBytesMax - kept);
        ByteBuffer longer = ByteBuffer.allocate(kept + more);
        if (kept > 0) {
            longer.put(hello);
        }
        longer.put(cipher.slice(cipher.position(), more)).flip();
        cipher.position(cipher.position() + more);
        hello = longer;
    }

    /** Begins the handshake with the context for {@code name}. If the function that chooses the context throws, the client is refused. */
    private void beginByName(String name) throws SSLException {
        boolean chosen = false;
        try {
            begin(name);
            chosen = true;
        } finally {
            if (!chosen) {
                records.sendPlainAlert(TlsRecords.UNRECOGNIZED_NAME);
            }
        }
    }

    /** Begins a callback. At its end, {@link #leave} gets the result of this method, and the value that {@link #timesLetGo} had before. */
    private TlsBuffers enter() {
        input.beginCallback();
        return records.takeBuffers();
    }

    private void leave(TlsBuffers own, int before) {
        try {
            if (timesLetGo == before) {
                records.flush();
            }
        } finally {
            own.giveBack();
            if (timesLetGo == before) {
                records.leaveBuffers();
                catchUp();
            } else {
                callbackOver();
            }
        }
    }

    /** Called when a callback returns after a nested wait. Another thread may own the connection now. */
    private void callbackOver() {
        try {
            aside(
                    () -> { // runs after the writes of the callback
                        waiting--;
                        catchUp();
                        unchecked(this::redeliverNow);
                    });
        } catch (RejectedExecutionException goneOrFull) {
            callbacksOver.incrementAndGet();
            redeliveryPending = true;
        }
    }

    /** Hands work over without making later calls of the service wait for it. */
    private void aside(Runnable work) {
        records.output.handOver(work, DecoratorOutput.CallKind.ASIDE);
    }

    /** Called in a callback. Does the work that other threads could not hand over, because the mailbox was full. */
    private void catchUp() {
        if (callbacksOver.get() != 0 && !link.isHoldingOutput()) { // only after the writes of these callbacks
            waiting -= callbacksOver.getAndSet(0);
        }
        if (redeliveryPending) {
            redeliveryPending = false;
            redeliverSoon();
        }
        if (opened) {
            link.notifyWritableIfDue();
            link.endIfOutputIsLost();
        }
    }

    void proceed(ByteBuffer more) throws Exception {
        int before = timesLetGo;
        TlsBuffers own = enter();
        ByteBuffer cipher = hello == null ? more : hello;
        boolean wasOpened = opened;
        try {
            boolean receives = handshaking ? handshake.shake(cipher) && establish() : callOpenedIfDue();
            if (receives) {
                if (!wasOpened) {
                    records.output.actsAtOnce(); // calls that other threads made during opened act before data
                }
                input.receive(cipher);
            }
            if (timesLetGo == before && hello != null && !hello.hasRemaining()) {
                hello = null;
            }
        } finally {
            leave(own, before);
        }
    }

    @Override
    public void writable(Connection connection) throws Exception {
        if (opened) {
            int before = timesLetGo;
            TlsBuffers own = enter();
            try {
                link.continueHeldOutput();
                input.continueWithAlert(); // if the output is lost, no answer is under way any more
                if (timesLetGo == before && !link.isClosing() && link.isOutputUsed()) {
                    link.becomesWritable();
                    handler.writable(link);
                }
            } finally {
                leave(own, before);
            }
        }
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        if (opened && link.isClosing()) {
            return; // the close has taken too long, so the connection fails
        }
        if (opened) {
            call(() -> handler.deadlinePassed(link));
        } else {
            tls.handshakesTimedOut.increment();
            cancelHandshake("the handshake has taken longer than " + tls.handshakeTimeout);
        }
    }

    @Override
    public void draining(Connection connection) throws Exception {
        if (opened && link.isClosing()) {
            return; // the close follows the files; draining is called again after further events
        }
        if (opened) {
            int before = timesLetGo;
            redeliverNow(); // the service may just have resumed reading, so unread plaintext is due
            if (timesLetGo != before || link.isClosing()) {
                return;
            }
            call(() -> handler.draining(link));
        } else if (!begun) {
            raw.close(); // a client that has not begun its handshake has requested nothing
        } // otherwise the handshake or its time-out ends first; a request may follow the handshake
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        if (!records.hasFailed() && handshaking) {
            cancelHandshake("the peer has ended the connection during the handshake");
            raw.close();
        } else if (!records.hasFailed() && !input.isEndSeen()) {
            tls.truncations.increment();
            truncation = new SSLException(
                    "the peer has ended the connection without a close_notify: what it sent may be cut off");
            records.withholdEnd(true);
            int before = timesLetGo;
            if (input.mustRedeliver() && link.takesInput()) { // plaintext that arrived before the end
                call(input::redeliver);
            }
            if (timesLetGo == before) {
                closeIfTruncated();
            }
        } else if (records.hasFailed()) {
            raw.close();
        } // otherwise the service gets the end by the close_notify, and decides
    }

    private void cancelHandshake(String reason) throws Exception {
        SSLHandshakeException cause = new SSLHandshakeException(reason);
        records.noteFailure(cause);
        if (records.engine() != null && (begun || tls.client)) {
            call(records::cancelHandshake);
        } else if (begun) {
            records.sendPlainCancellation();
        } // otherwise the client has requested nothing
    }

    /** Closes after the end of the peer. If the service still answers or must get plaintext, {@link #redeliverNow} calls this again. */
    private void closeIfTruncated() throws Exception {
        boolean served = waiting > 0 || !link.takesInput() || input.mustRedeliver();
        if (truncation != null && (link.isClosing() || !served)) {
            call(() -> link.closeTruncated(truncation));
        }
    }

    @Override
    public Connection decorated(Connection connection) {
        TlsLink seen = established;
        return seen == null ? connection : handler.decorated(seen);
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        Throwable reason = records != null && records.hasFailed() ? records.failure() : cause;
        reason = link == null ? reason : link.causeOfEnd(reason == null ? truncation : reason);
        if (input != null) {
            input.drop();
            records.closeEngine();
        }
        if (link != null) {
            link.ended(reason);
        }
        try {
            reportClosed(reason);
        } finally {
            if (records != null) {
                records.leaveEngine();
            }
        }
    }

    private void reportClosed(Throwable reason) {
        if (opened || openedDue) {
            handler.closed(link, reason);
            return;
        }
        tls.handshakesFailed.increment();
        if (reason instanceof DeadlineException) { // it has passed while an executor ran operations
            tls.handshakesTimedOut.increment();
        }
        if (connecting != null) {
            connecting.completeExceptionally(
                    reason != null
                            ? reason
                            : new SSLHandshakeException("the connection was closed during the handshake"));
        }
    }

    @Override
    public void beforeNestedWait(Connection connection) {
        if (opened) {
            handler.beforeNestedWait(link);
        }
        input.letGo();
        if (openedDue || input.hasMore()) { // plaintext of this callback, or of callbacks before offloaded work
            redeliverSoon();
        }
        if (records.buffers() == null) {
            return; // called by an action that depends on a move, and not in a callback of the service
        }
        records.flush();
        if (opened) {
            link.notifyWritableIfDue();
        }
        timesLetGo++;
        waiting++;
        records.leaveBuffers();
    }

    private boolean establish() throws Exception {
        handshaking = false;
        records.established();
        pausesSeen = records.output.pausesEnded();
        raw.deadline(StreamTimeouts.NEVER);
        tls.handshakesCompleted.increment();
        int before = timesLetGo;
        // Set before the completion. A dependent action of the future may wait, and meanwhile another thread may
        // process the connection.
        openedDue = true;
        boolean wanted = connecting == null || connecting.complete(link);
        if (timesLetGo != before) {
            return false;
        }
        openedDue = wanted;
        if (!wanted) {
            raw.abort(); // the requester of the connection has given up
            return false;
        }
        return callOpenedIfDue();
    }

    /**
     * Calls {@code opened} of the service if it has not been called yet and no work is offloaded. Returns true if the service may get data,
     * and the caller still owns the connection.
     */
    private boolean callOpenedIfDue() throws Exception {
        if (!openedDue || link.isOffloading()) { // a dependent action of the future may have offloaded work
            return opened;
        }
        openedDue = false;
        opened = true;
        established = link;
        int before = timesLetGo;
        handler.opened(link);
        return timesLetGo == before;
    }

    ConnectionHandler replaceHandler(ConnectionHandler next) {
        ConnectionHandler former = handler;
        handler = next;
        input.handlerReplaced();
        redeliverSoon();
        return former;
    }

    ConnectionHandler service() {
        return handler;
    }

    TlsInput input() {
        return input;
    }

    TlsLink link() {
        return link;
    }

    int timesLetGo() {
        return timesLetGo;
    }

    boolean callbackWaits() {
        return waiting > 0;
    }

    /** Gives the service the unread plaintext or the peer's end, as soon as reading continues. Any thread may call it. */
    void redeliverSoon() {
        try {
            aside(() -> {
                catchUp();
                unchecked(this::redeliverNow);
            });
        } catch (RejectedExecutionException goneOrFull) {
            redeliveryPending = true; // the tasks that fill the mailbox call catchUp
        }
    }

    private void redeliverNow() throws Exception {
        if (records.engine() == null) {
            return;
        }
        if (input.isAlertHeld()) {
            run(input::continueWithAlert);
        }
        int before = timesLetGo;
        if (openedDue && raw.isInCallback()) { // a dependent action of the future waits
            call(this::callOpenedIfDue);
            if (timesLetGo != before) {
                return;
            }
        }
        if (!link.takesInput()) {
            return;
        }
        call(() -> {
            int ended = records.output.pausesEnded();
            if (ended != pausesSeen) {
                pausesSeen = ended;
                input.giveUnreadAgain();
            }
            records.output.actsAtOnce(); // calls of other threads act before data
            if (input.mustRedeliver() && link.takesInput()) {
                input.redeliver();
            }
            if (timesLetGo == before) {
                input.reportEnd();
            }
        });
        if (timesLetGo == before) {
            closeIfTruncated();
        }
    }

    boolean isInCallback() {
        return records.buffers() != null && raw.isInCallback();
    }

    void callWritable() {
        unchecked(() -> handler.writable(link));
    }

    /** Calls a completion of the service with the reason why its bytes were not sent. Called in a callback. */
    void complete(WriteCompletion completion, Throwable failed) {
        unchecked(() -> completion.completed(link, reason(failed)));
    }

    /** Returns the failure of TLS if there is one, otherwise {@code cause}. The connection below does not know failures of TLS. */
    Throwable reason(Throwable cause) {
        return cause != null && records.hasFailed() ? records.failure() : cause;
    }

    /** Calls a completion when the connection is gone, with the reason. Logs an exception of the completion. */
    void completeAtEnd(WriteCompletion completion, Throwable failed) {
        try {
            completion.completed(link, failed);
        } catch (Throwable thrown) { // the other completions and the handler must still be called
            LOGGER.log(System.Logger.Level.WARNING, "a write completion of " + link + " failed", thrown);
        }
    }

    /** Runs {@code step} as a callback of the service. Called in a callback of the connection. */
    void call(Step step) throws Exception {
        int before = timesLetGo;
        TlsBuffers own = enter();
        try {
            step.run();
        } finally {
            leave(own, before);
        }
    }

    void run(Runnable task) {
        unchecked(() -> call(task::run));
    }

    /** Runs a handed-over call of the service inside the current callback. If there is no callback, runs the call as a callback. */
    void make(Runnable call) {
        if (!isInCallback()) {
            run(call);
            return;
        }
        insideCall = true;
        try {
            call.run();
        } finally {
            insideCall = false;
        }
    }

    /** Returns true while a handed-over call runs inside another call of the service. In this case, the service must not be called. */
    boolean isInsideCall() {
        return insideCall;
    }

    <T> ConnectionContinuation<T> continuing(ConnectionContinuation<? super T> wanted) {
        return new ConnectionContinuation<>() {
            @Override
            public void resume(Connection connection, T result) throws Exception {
                proceed(() -> wanted.resume(link, result));
            }

            @Override
            public void failed(Connection connection, Throwable thrown) throws Exception {
                proceed(() -> wanted.failed(link, thrown));
            }

            private void proceed(Step step) throws Exception {
                link.continues();
                input.giveUnreadAgain();
                int before = timesLetGo;
                call(step);
                if (timesLetGo == before && openedDue) { // tasks in the mailbox come after opened
                    call(TlsHandler.this::callOpenedIfDue);
                }
                if (timesLetGo == before && (truncation != null || input.hasMore())) {
                    redeliverSoon(); // calls that other threads have made in the meantime act first
                }
            }
        };
    }

    interface Step {
        void run() throws Exception;
    }

    static void unchecked(Step step) {
        try {
            step.run();
        } catch (Exception thrown) {
            TlsHandler.<RuntimeException>rethrow(thrown);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void rethrow(Exception thrown) throws E {
        throw (E) thrown;
    }
}
