package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardMemoryException;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.UnreadLimitException;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratorOutput;
import org.cabrank.stream.transport.StreamConnection;

/**
 * The TLS of one connection: makes the handshake, decrypts what comes for the service's handler, and encrypts what the handler writes.
 *
 * <pre>
 *  handshaking -> established -> closed
 *       |             |            ^
 *       +-------------+- failure --+
 * </pre>
 *
 * <p>The fields belong to whoever runs a callback of the connection. A callback of the service that waits for a reply gives the
 * connection up: {@link #timesLetGo} tells, and nothing is touched afterwards.
 */
final class TlsHandler implements ConnectionHandler {
    private static final System.Logger LOGGER = System.getLogger(TlsHandler.class.getName());

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Named bound: records that are made at the end of a connection. */
    private static final int LAST_RECORDS_MAX = 8;

    /** Plaintext of a full record. */
    private static final int RECORD_PLAIN_BYTES = 16 << 10;

    /** Bytes that a record is longer than its plaintext, at least. */
    private static final int RECORD_OVERHEAD_MIN = 64;

    private final Tls tls;

    /** The handler of the service; another after {@link #replaceHandler}. */
    private volatile ConnectionHandler handler;

    /** Future of a connect; null for an accepted connection. */
    private final CompletableFuture<TlsConnection> connecting;

    private Connection raw;

    /**
     * The output of {@link #raw}. No limit of queued bytes refuses a record: room for plaintext was required before its encryption, and the
     * messages of TLS itself are few for each byte that the peer has sent.
     */
    private DecoratorOutput output;

    private HandshakeBound bound;

    /** Null until the client has named its host, if the context is chosen by name. */
    private SSLEngine engine;

    /** Factory of the engine; null as long as the engine is. */
    private EngineFactory engines;

    private TlsLink link;

    /** The buffers of the thread that runs a callback; null: no callback runs. */
    private TlsBuffers buffers;

    /** Grows when a callback of the service waits for a reply. */
    private int timesLetGo;

    /** Number of the service's callbacks that wait, or have not returned since. */
    private int waiting;

    private boolean handshaking = true;

    /** The peer has sent the first byte of its handshake. */
    private boolean begun;

    /** {@link ConnectionHandler#opened} of the service was called. */
    private boolean opened;

    /** The link since then, for any thread; null before. */
    private volatile TlsLink established;

    /** The handshake has succeeded, and {@link ConnectionHandler#opened} of the service was not called yet. */
    private boolean openedDue;

    /** Another handshake has given its place in the {@link #bound} to this one. */
    private boolean placeGiven;

    /** Parties that may still call the engine: the connection, and the executor while it runs operations. At 0 it is released. */
    private final AtomicInteger engineUsers = new AtomicInteger(1);

    /** Callbacks that have waited and have returned since, and that {@link #waiting} still counts. */
    private final AtomicInteger callbacksOver = new AtomicInteger();

    /** {@link #redeliverSoon} found the mailbox full. */
    private volatile boolean redeliveryOwed;

    private int handshakeBytes;

    /** Room that the engine needs to decrypt a record, in bytes; 0 during the handshake. */
    private int plainBytes;

    /** Room that the engine needs to encrypt a record, in bytes; 0 during the handshake. */
    private int recordBytes;

    /** Cause of the end of the connection; null: no failure of TLS. */
    private Throwable failure;

    private UnreadPlaintext unread;

    /** Unread plaintext is to be given to the service again when reading continues. */
    private boolean redeliver;

    /** The plaintext that a callback of the service has; null: none. */
    private ByteBuffer inHand;

    private int inHandBytes;

    /** A callback has the last of the plaintext, which is {@link #unread}. */
    private boolean restInHand;

    /** The peer has sent its close_notify. */
    private boolean endSeen;

    private boolean endReported;

    /** The present callback has replaced the handler of the service. */
    private boolean handlerReplaced;

    TlsHandler(Tls tls, ConnectionHandler handler, CompletableFuture<TlsConnection> connecting) {
        this.tls = tls;
        this.handler = handler;
        this.connecting = connecting;
    }

    // ---- callbacks of the connection ----

    @Override
    public void opened(Connection connection) throws Exception {
        raw = connection;
        output = DecoratorOutput.of(connection);
        unread = new UnreadPlaintext(connection);
        tls.handshakesBegun.increment();
        bound = tls.boundOf(poolOf(connection));
        raw.deadline(tls.handshakeTimeout());
        if (!tls.choosesByName()) {
            begin(null);
        }
        if (tls.isClient()) {
            proceed(NOTHING);
        }
    }

    private static LeaderFollowersPool poolOf(Connection connection) {
        StreamConnection below = StreamConnection.below(connection);
        return below == null ? null : below.handle().handleSet().pool();
    }

    private void begin(String name) throws SSLException {
        engines = tls.enginesFor(name);
        engine = tls.newEngine(engines);
        link = new TlsLink(this, raw, output, engine, name);
        engine.beginHandshake();
    }

    @Override
    public void data(Connection connection, ByteBuffer cipher) throws Exception {
        if (failure != null || endSeen) {
            cipher.position(cipher.limit());
            return;
        }
        begun = true;
        if (engine == null) {
            String name = ClientHello.serverName(cipher);
            if (name == ClientHello.INCOMPLETE && cipher.remaining() < tls.handshakeBytesMax()) {
                return;
            }
            begin(name == ClientHello.INCOMPLETE ? null : name);
        }
        proceed(cipher);
    }

    /** Begins a callback of the connection: {@link #leave} follows, with the answers of this method and {@link #timesLetGo}. */
    private TlsBuffers enter() {
        handlerReplaced = false;
        buffers = TlsBuffers.take(engines.prefersDirectBuffers());
        return buffers;
    }

    private void leave(TlsBuffers own, int before) {
        try {
            if (timesLetGo == before) {
                flush();
            }
        } finally {
            own.giveBack();
            if (timesLetGo == before) {
                buffers = null;
                settleOwed();
            } else {
                callbackOver();
            }
        }
    }

    /** The callback that has waited has returned; the caller does not have the connection any more. */
    private void callbackOver() {
        callbacksOver.incrementAndGet();
        redeliverSoon();
    }

    /** In a callback: makes up for what other threads could not hand over, because the mailbox was full. */
    private void settleOwed() {
        if (callbacksOver.get() != 0) {
            waiting -= callbacksOver.getAndSet(0);
        }
        if (redeliveryOwed) {
            redeliveryOwed = false;
            redeliverSoon();
        }
    }

    private void proceed(ByteBuffer cipher) throws Exception {
        int before = timesLetGo;
        TlsBuffers own = enter();
        try {
            if (handshaking ? shake(cipher) : callOpenedIfDue()) {
                receive(cipher);
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
                if (timesLetGo == before && !link.isClosing()) {
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
            return; // the close takes too long: the connection fails
        }
        if (opened) {
            int before = timesLetGo;
            TlsBuffers own = enter();
            try {
                handler.deadlinePassed(link);
            } finally {
                leave(own, before);
            }
        } else {
            tls.handshakesTimedOut.increment();
            failure = new SSLHandshakeException("the handshake has taken longer than " + tls.handshakeTimeout());
        }
    }

    @Override
    public void draining(Connection connection) throws Exception {
        if (opened && link.isClosing()) {
            return; // closed as soon as its files were sent
        }
        if (opened) {
            int before = timesLetGo;
            redeliverNow(); // reading may have been resumed just before, and the task that gives plaintext again is due
            if (timesLetGo != before || link.isClosing()) {
                return;
            }
            TlsBuffers own = enter();
            try {
                handler.draining(link);
            } finally {
                leave(own, before);
            }
        } else if (!begun) {
            raw.close(); // a client that has not begun its handshake has asked for nothing
        } // else the handshake ends first, or its time-out; a request may stand behind it
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        if (failure == null && handshaking) {
            failure = new SSLHandshakeException("the peer has ended the connection during the handshake");
            raw.close();
        } else if (failure == null && !endSeen) {
            tls.truncations.increment();
            failure = new SSLException(
                    "the peer has ended the connection without a close_notify: what it sent may be cut off");
            deliverLast();
            raw.close();
        } else if (failure != null) {
            raw.close();
        } // else the service knows the end by the close_notify, and decides
    }

    /** Gives the service plaintext that it was to be given again and that has arrived before the end. */
    private void deliverLast() throws Exception {
        if (redeliver && !unread.isEmpty()) {
            int before = timesLetGo;
            TlsBuffers own = enter();
            try {
                deliver(unread.bytes());
            } finally {
                leave(own, before);
            }
        }
    }

    @Override
    public Connection decorated(Connection connection) {
        TlsLink seen = established;
        return seen == null ? connection : handler.decorated(seen);
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        Throwable reason = failure != null ? failure : cause;
        if (unread != null) {
            unread.drop();
        }
        if (engine != null && engineUsers.get() == 1) { // else an operation may hold the lock of the engine
            engine.closeOutbound(); // for engines that hold native memory
        }
        if (link != null) {
            link.ended(reason);
        }
        try {
            reportClosed(reason);
        } finally {
            leaveEngine();
        }
    }

    /** The caller makes no further call of the engine. The last caller releases the engine. */
    private void leaveEngine() {
        if (engineUsers.decrementAndGet() == 0 && engine != null) {
            engines.release(engine);
        }
    }

    private void reportClosed(Throwable reason) {
        if (opened || openedDue) {
            handler.closed(link, reason);
            return;
        }
        tls.handshakesFailed.increment();
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
        if (inHand != null) {
            takeBackPlaintextInHand();
        } else if (restInHand) {
            unread.leaveToCallback();
        }
        restInHand = false;
        if (buffers == null) {
            return; // not in a callback of the service, but in an action that depends on a move
        }
        flush();
        timesLetGo++;
        waiting++;
        buffers = null;
    }

    /** The buffer stays with the callback, which finds it empty; the bytes in it that are unread move to another. */
    private void takeBackPlaintextInHand() {
        ByteBuffer plain = inHand;
        inHand = null;
        unread.leaveToCallback();
        plain.limit(inHandBytes);
        keepRest(plain);
        TlsBuffers.erase(plain, inHandBytes);
        plain.limit(0);
        redeliver = !unread.isEmpty();
        if (redeliver) {
            redeliverSoon();
        }
    }

    // ---- handshake ----

    /** Continues the handshake as far as possible. Returns true if it has succeeded, and the connection is the caller's still. */
    private boolean shake(ByteBuffer cipher) throws Exception {
        while (failure == null) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> encrypt(NOTHING);
                case NEED_TASK -> {
                    if (!runTasks()) {
                        return false;
                    }
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!readHandshake(cipher)) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return establish();
                }
            }
        }
        return false;
    }

    /** Returns false if more bytes are needed, or the handshake has failed. */
    private boolean readHandshake(ByteBuffer cipher) {
        int from = cipher.position();
        SSLEngineResult result = decryptHandshake(cipher);
        if (result == null) {
            return false;
        }
        handshakeBytes += cipher.position() - from;
        boolean incomplete = result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW;
        if (handshakeBytes + (incomplete ? cipher.remaining() : 0) > tls.handshakeBytesMax()) {
            fail(new SSLHandshakeException("the handshake of the peer exceeds " + tls.handshakeBytesMax()
                    + " bytes, the bound of handshakeBytesMax"));
        } else if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            fail(new SSLHandshakeException("the peer has closed the connection during the handshake"));
        } else if (cipher.position() > from && wantsInput()) {
            // Some engines (tcnative) notice at their next call only that a message was the last one.
            decryptHandshake(NOTHING);
        }
        return failure == null && (cipher.position() > from || !wantsInput());
    }

    private boolean wantsInput() {
        SSLEngineResult.HandshakeStatus next = engine.getHandshakeStatus();
        return next == SSLEngineResult.HandshakeStatus.NEED_UNWRAP
                || next == SSLEngineResult.HandshakeStatus.NEED_UNWRAP_AGAIN;
    }

    /** Reads a message, and keeps plaintext that an engine returns with it. Null: the handshake has failed. */
    private SSLEngineResult decryptHandshake(ByteBuffer cipher) {
        ByteBuffer plain = room();
        if (plain == null) {
            return null;
        }
        int start = plain.position();
        SSLEngineResult result = decrypt(cipher, plain);
        int count = plain.position();
        if (result != null && count > start) {
            unread.putInFront(plain);
            boolean ofThread = plain == buffers.plain;
            keepRest(plain.flip());
            if (ofThread) {
                TlsBuffers.erase(plain, count);
            }
            redeliver = true;
        }
        return failure == null ? result : null;
    }

    /** Runs the public-key operations, now or later. Returns false if they are not done yet. */
    private boolean runTasks() {
        if (placeGiven) {
            placeGiven = false;
        } else if (!bound.tryEnter(this)) {
            tls.handshakesDeferred.increment();
            raw.pauseReading();
            return false;
        }
        Executor executor = tls.handshakeExecutor();
        if (executor == null) {
            try {
                raw.promoteNewLeader();
                // A kernel lets the thread that has woken another go on: where both share a processor, the new leader
                // would get it
                // only after the operations.
                Thread.yield();
                runDelegatedTasks();
            } finally {
                bound.leave();
            }
            return true;
        }
        boolean handedAway = false;
        engineUsers.incrementAndGet();
        try {
            raw.offload(
                    executor,
                    () -> {
                        try {
                            runDelegatedTasks();
                        } finally {
                            leaveEngine();
                            bound.leave();
                        }
                        return null;
                    },
                    (connection, nothing) -> proceed(NOTHING));
            handedAway = true;
        } finally {
            if (!handedAway) {
                engineUsers.decrementAndGet();
                bound.leave();
            }
        }
        return false;
    }

    private void runDelegatedTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Any thread: another handshake gives its place to this one. Returns false if this connection cannot take the place. */
    boolean mayGoOn() {
        try {
            raw.execute(() -> {
                placeGiven = true;
                try {
                    raw.resumeReading();
                    unchecked(() -> proceed(NOTHING));
                } finally {
                    if (placeGiven) { // the connection has ended since
                        placeGiven = false;
                        bound.leave();
                    }
                }
            });
            return true;
        } catch (RejectedExecutionException gone) {
            return false;
        }
    }

    private boolean establish() throws Exception {
        handshaking = false;
        plainBytes =
                engine.getSession().getApplicationBufferSize(); // asked once, because a session takes a lock to answer
        recordBytes = engine.getSession().getPacketBufferSize();
        raw.deadline(StreamTimeouts.NEVER);
        tls.handshakesCompleted.increment();
        int before = timesLetGo;
        openedDue = true; // first: another thread may process the connection while an action that depends on the future
        // waits
        boolean wanted = connecting == null || connecting.complete(link);
        if (timesLetGo != before) {
            return false;
        }
        openedDue = wanted;
        if (!wanted) {
            raw.abort(); // whoever asked for the connection has given up
            return false;
        }
        return callOpenedIfDue();
    }

    /** Returns true if the connection is the caller's still. */
    private boolean callOpenedIfDue() throws Exception {
        if (!openedDue) {
            return opened;
        }
        openedDue = false;
        opened = true;
        established = link;
        int before = timesLetGo;
        handler.opened(link);
        return timesLetGo == before;
    }

    // ---- input ----

    private void receive(ByteBuffer cipher) throws Exception {
        int before = timesLetGo;
        boolean more = cipher.hasRemaining() || redeliver;
        while (more && failure == null && !endSeen && raw.isReceiving()) {
            ByteBuffer plain = room();
            if (plain == null) {
                return;
            }
            int start = plain.position();
            more = decryptInto(plain, cipher);
            if (plain.position() > start) {
                unread.putInFront(plain);
                deliver(plain);
            } else if (redeliver && !unread.isEmpty()) {
                deliver(unread.bytes());
            }
            if (timesLetGo != before) {
                return;
            }
        }
        reportEnd();
    }

    /** {@link #decryptRecords}, and leaves no plaintext if that fails unexpectedly. */
    private boolean decryptInto(ByteBuffer plain, ByteBuffer cipher) {
        boolean returned = false;
        try {
            boolean more = decryptRecords(cipher, plain);
            returned = true;
            return more;
        } finally {
            if (!returned && plain == buffers.plain) { // other memory is overwritten when the connection is closed next
                TlsBuffers.erase(plain, plain.position());
            }
        }
    }

    /** Decrypts as many records as there is room for. Returns true if there may be more. */
    private boolean decryptRecords(ByteBuffer cipher, ByteBuffer plain) {
        while (cipher.hasRemaining() && plain.remaining() >= plainBytes()) {
            SSLEngineResult result = decrypt(cipher, plain);
            if (result == null) {
                return false;
            }
            switch (result.getStatus()) {
                case BUFFER_UNDERFLOW -> {
                    return false;
                }
                case CLOSED -> {
                    endSeen = true;
                    return false;
                }
                case BUFFER_OVERFLOW -> {
                    return plain.position() > 0; // the next round has more room
                }
                case OK -> {
                    if (!answerPostHandshake(result.getHandshakeStatus())
                            || result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                        return false;
                    }
                }
            }
        }
        return cipher.hasRemaining();
    }

    /** Answers messages that TLS 1.3 allows after the handshake, such as a key update. Returns false if the connection must end. */
    private boolean answerPostHandshake(SSLEngineResult.HandshakeStatus status) {
        if (status == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING
                || status == SSLEngineResult.HandshakeStatus.FINISHED) {
            return true;
        }
        SSLEngineResult.HandshakeStatus next = status;
        for (int step = 0; step < LAST_RECORDS_MAX && failure == null; step++) {
            switch (next) {
                case NEED_WRAP ->
                    next = encrypt(NOTHING); // some engines (tcnative) throw here what their alert is about
                case NEED_TASK, NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!engine.getSession().getProtocol().equals("TLSv1.3")) {
                        fail(new SSLException("the peer wants to negotiate anew, which is refused"));
                        return false;
                    }
                    if (next != SSLEngineResult.HandshakeStatus.NEED_TASK) {
                        return true;
                    }
                    runDelegatedTasks();
                    next = engine.getHandshakeStatus();
                }
                default -> {
                    return true;
                }
            }
        }
        return failure == null;
    }

    /** Returns the buffer to decrypt into, with room for a record; null: the shard has no memory, and the connection ends. */
    private ByteBuffer room() {
        try {
            return unread.room(buffers.plain, plainBytes());
        } catch (ShardMemoryException none) {
            fail(none);
            return null;
        }
    }

    /** Gives plaintext, from 0 to the position, to the service. */
    private void deliver(ByteBuffer plain) throws Exception {
        int before = timesLetGo;
        int count = plain.position();
        redeliver = false;
        handlerReplaced = false;
        inHand = plain;
        inHandBytes = count;
        boolean returned = false;
        try {
            plain.flip().order(ByteOrder.BIG_ENDIAN);
            if (!link.isClosing()) { // else the connection below sends a file, and its input is dropped
                handler.data(link, plain);
            }
            returned = true;
        } finally {
            if (!returned && timesLetGo == before) { // the handler has thrown: the connection is closed next
                inHand = null;
                TlsBuffers.erase(plain, count);
            }
        }
        if (timesLetGo != before) {
            return;
        }
        inHand = null;
        plain.limit(count);
        if (link.isClosing()) {
            plain.position(count);
        }
        boolean ofThread = plain == buffers.plain;
        keepRest(plain);
        if (ofThread) {
            TlsBuffers.erase(plain, count);
        }
        boolean held = handlerReplaced || !raw.isReceiving();
        handlerReplaced = false; // further plaintext is given to the next handler
        redeliver = held && !unread.isEmpty();
        if (!held
                && !unread.isEmpty()
                && unread.bytes().position() >= raw.limits().unreadLimit()) {
            fail(new UnreadLimitException(
                    raw + ": the handler has left " + raw.limits().unreadLimit() + " bytes unread, the limit"));
        }
    }

    /** Keeps the plaintext from the position to the limit, or ends the connection if the shard has no memory. */
    private void keepRest(ByteBuffer plain) {
        try {
            unread.keepRest(
                    plain, raw.isReceiving() ? plainBytes() : 0); // no record is decrypted while reading is paused
        } catch (ShardMemoryException none) {
            fail(none);
        }
    }

    /** Tells the service of the peer's close_notify, once it has been given all plaintext before and no callback waits. */
    private void reportEnd() throws Exception {
        if (!endSeen || endReported || waiting > 0 || link.isClosing() || !raw.isReceiving()) {
            return;
        }
        endReported = true;
        int before = timesLetGo;
        ByteBuffer rest = unread.isEmpty()
                ? buffers.plain.clear().limit(0)
                : unread.bytes().flip();
        boolean ofThread = rest == buffers.plain;
        restInHand = true;
        try {
            handler.inputClosed(link, rest.order(ByteOrder.BIG_ENDIAN));
        } finally {
            if (timesLetGo == before) {
                restInHand = false;
                dropRest(ofThread ? null : rest);
            } else if (!ofThread) {
                TlsBuffers.erase(rest, rest.capacity()); // memory that was left to the callback
            }
        }
    }

    /**
     * Called when the service was notified of the end: drops what the handler has not read, or keeps that for the handler that has
     * replaced it.
     *
     * @param rest unread plaintext; null: there is none
     */
    private void dropRest(ByteBuffer rest) {
        if (rest != null && !endReported) {
            keepRest(rest);
        } else {
            unread.drop();
        }
    }

    /** In a callback: the service's callbacks are those of {@code next} from now on. Returns the former handler. */
    ConnectionHandler replaceHandler(ConnectionHandler next) {
        ConnectionHandler former = handler;
        handler = next;
        handlerReplaced = true;
        endReported = false;
        redeliver |= !unread.isEmpty() && inHand == null && !restInHand;
        redeliverSoon();
        return former;
    }

    boolean isHandlerReplaced() {
        return handlerReplaced;
    }

    /** Any thread: unread plaintext, or the peer's end, is given to the service as soon as reading continues. */
    void redeliverSoon() {
        try {
            raw.execute(() -> {
                settleOwed();
                unchecked(this::redeliverNow);
            });
        } catch (RejectedExecutionException goneOrFull) {
            redeliveryOwed = true; // the tasks that fill the mailbox make up for it
        }
    }

    private void redeliverNow() throws Exception {
        if (engine == null || !raw.isReceiving()) {
            return;
        }
        int before = timesLetGo;
        TlsBuffers own = enter();
        try {
            if (redeliver && !unread.isEmpty()) {
                deliver(unread.bytes());
            }
            if (timesLetGo == before) {
                reportEnd();
            }
        } finally {
            leave(own, before);
        }
    }

    // ---- the service's calls, in a callback ----

    boolean isInCallback() {
        return buffers != null && raw.isInCallback();
    }

    int gatheredBytes() {
        return buffers.gather.position();
    }

    /** In a callback: tells the service that it may write again. */
    void callWritable() {
        unchecked(() -> handler.writable(link));
    }

    /** In a callback: tells the service why its bytes were not sent. */
    void complete(WriteCompletion completion, Throwable failed) {
        unchecked(() -> completion.completed(link, reason(failed)));
    }

    /** Returns the cause for the service: after a failure of TLS, the connection below ends in another way. */
    Throwable reason(Throwable cause) {
        return cause != null && failure != null ? failure : cause;
    }

    /** The connection is gone: tells the service why its bytes were not sent. An exception is logged. */
    void completeAtEnd(WriteCompletion completion, Throwable failed) {
        try {
            completion.completed(link, failed);
        } catch (Exception thrown) {
            LOGGER.log(System.Logger.Level.WARNING, "a write completion of " + link + " failed", thrown);
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** In a callback: the buffer for the plaintext of a file. */
    ByteBuffer filePiece() {
        return buffers.file();
    }

    /** In a callback: encrypts plaintext of a file behind what was written. */
    void encryptFile(ByteBuffer plaintext) {
        flush();
        encrypt(plaintext);
    }

    /** Runs a part of a callback of the connection as a callback of the service. */
    void call(Step step) throws Exception {
        int before = timesLetGo;
        TlsBuffers own = enter();
        try {
            step.run();
        } finally {
            leave(own, before);
        }
    }

    /** Runs a task of the service as a callback. */
    void run(Runnable task) {
        int before = timesLetGo;
        TlsBuffers own = enter();
        try {
            task.run();
        } finally {
            leave(own, before);
        }
    }

    /** Decorates a continuation. */
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
                int before = timesLetGo;
                TlsBuffers own = enter();
                try {
                    step.run();
                } finally {
                    leave(own, before);
                }
                if (timesLetGo == before) {
                    redeliverNow();
                }
            }
        };
    }

    /** Part of a callback. */
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

    /** Takes plaintext, for which there is room. */
    void write(ByteBuffer data) {
        ByteBuffer gather = buffers.gather;
        if (data.remaining() > gather.remaining()) {
            flush();
        }
        if (data.remaining() > gather.remaining()) {
            encrypt(data);
        } else {
            gather.put(data);
        }
    }

    /** Encrypts what the present callback has written. */
    void flush() {
        ByteBuffer gather = buffers.gather;
        int count = gather.position();
        if (count > 0) {
            try {
                encrypt(gather.flip());
            } finally {
                TlsBuffers.erase(gather, count);
            }
        }
    }

    /** Sends a close_notify behind what was written. */
    void endOutput() {
        flush();
        engine.closeOutbound();
        encryptLast();
    }

    /** The size of encrypted bytes, at most. */
    int encryptedBytes(long plaintextBytes) {
        int overhead = Math.max(RECORD_OVERHEAD_MIN, recordBytes() - RECORD_PLAIN_BYTES);
        return (int) Math.min(Integer.MAX_VALUE, plaintextBytes + (plaintextBytes / RECORD_PLAIN_BYTES + 1) * overhead);
    }

    // ---- the engine ----

    private int plainBytes() {
        return plainBytes != 0 ? plainBytes : engine.getSession().getApplicationBufferSize();
    }

    private int recordBytes() {
        return recordBytes != 0 ? recordBytes : engine.getSession().getPacketBufferSize();
    }

    private SSLEngineResult decrypt(ByteBuffer cipher, ByteBuffer plain) {
        try {
            return engines.prefersDirectBuffers() || !cipher.hasRemaining()
                    ? engine.unwrap(cipher, plain)
                    : decryptOnHeap(cipher, plain);
        } catch (SSLException forbidden) {
            fail(forbidden);
            return null;
        }
    }

    private SSLEngineResult decryptOnHeap(ByteBuffer cipher, ByteBuffer plain) throws SSLException {
        ByteBuffer record = buffers.firstRecord(cipher);
        int count = record.remaining();
        try {
            SSLEngineResult result = engine.unwrap(record, plain);
            cipher.position(cipher.position() + record.position());
            return result;
        } finally {
            TlsBuffers.erase(record, count);
        }
    }

    /**
     * Encrypts all of {@code plaintext}, or the next message of a handshake if there is none, and writes the records. Returns the state of
     * the handshake after that.
     */
    private SSLEngineResult.HandshakeStatus encrypt(ByteBuffer plaintext) {
        SSLEngineResult.HandshakeStatus next = SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
        int room = recordBytes();
        boolean overflow;
        do {
            overflow = false;
            SSLEngineResult result;
            ByteBuffer records = buffers.records(room);
            try {
                result = engine.wrap(plaintext, records);
                next = result.getHandshakeStatus();
            } catch (SSLException broken) {
                fail(broken);
                break;
            }
            if (records.flip().hasRemaining()) {
                output.writeUnbounded(records);
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                overflow = true;
                room = 2 * room;
            } else if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                break; // this side or, until TLS 1.2, the peer has ended both directions
            } else if (plaintext.hasRemaining() && result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                fail(new SSLException("the engine takes no plaintext: " + result.getHandshakeStatus()));
                break;
            }
        } while (overflow || plaintext.hasRemaining());
        plaintext.position(plaintext.limit());
        return next;
    }

    /** Writes the records that the engine has left to send: an alert or a close_notify. */
    private void encryptLast() {
        for (int record = 0; record < LAST_RECORDS_MAX && !engine.isOutboundDone(); record++) {
            try {
                ByteBuffer records = buffers.records(recordBytes());
                SSLEngineResult result = engine.wrap(NOTHING, records);
                if (records.flip().hasRemaining()) {
                    output.writeUnbounded(records);
                }
                if (result.bytesProduced() == 0) {
                    return;
                }
            } catch (SSLException | WriteQueueFullException broken) {
                return; // the end of the connection is decided already, and a peer that does not read does not see its
                // reason
            }
        }
    }

    /** The connection ends, with an alert for the peer if the engine has one. */
    void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
            if (!handshaking && cause instanceof SSLException) {
                tls.failures.increment();
            }
            TlsBuffers.erase(buffers.gather, buffers.gather.position());
            encryptLast();
            if (cause instanceof SSLException) {
                raw.close();
            } else {
                raw.abort(); // without waiting for a peer that sends more than it may
            }
        }
    }
}
