package org.cabrank.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.cabrank.lf.handle.CancellableWork;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.UnixSocket;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.transport.DecoratedConnection;
import org.cabrank.stream.transport.DecoratorOutput;
import org.cabrank.stream.transport.FileRange;

/** The service's connection. Calls outside a callback become tasks, because records must be encrypted in the order of sending. */
final class TlsLink extends DecoratedConnection implements TlsConnection, UnixSocket {
    private static final String NO_DESCRIPTORS =
            "TLS passes no descriptors: they go with bytes of the socket, which are records; use a connection without TLS";

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

    private final TlsHandler handler;
    private final TlsRecords records;
    private final Connection raw;
    private final DecoratorOutput output;
    private final SSLEngine engine;
    private final String serverName;

    private volatile boolean ended;

    /** Maximum size of {@link #mailedBytes} after the encryption. */
    private final AtomicLong mailedRecordBytes = new AtomicLong();

    /** Number of plaintext bytes that other threads have handed over and that are still in the mailbox. */
    private final AtomicLong mailedBytes = new AtomicLong();

    /** True if the handler must be notified when waiting bytes have been written. Set when the bytes exceed a limit or are refused. */
    private volatile boolean writablePending;

    /** True if the service has written, or has asked if there is room. */
    private volatile boolean outputUsed;

    /** Files, and output that waits behind a file. Null until a file is sent. */
    private volatile HeldOutput held;

    /** True if a close has begun. Written in callbacks. */
    private volatile boolean closing;

    // The following fields are used in callbacks:

    /** True if a callback has put a close of the connection into the mailbox, and the close has not run yet. */
    private boolean closeMailed;

    private boolean outputShut;
    private boolean offloading;

    private boolean endedByPeer;

    /** True if bytes were dropped because the peer had ended both directions. */
    private boolean lostByPeer;

    /** True if bytes were dropped because they were written after the end of the output. */
    private boolean outputDropped;

    TlsLink(TlsHandler handler, TlsRecords records, Connection raw, SSLEngine engine, String serverName) {
        super(raw);
        this.handler = handler;
        this.records = records;
        this.raw = raw;
        this.output = records.output;
        this.engine = engine;
        this.serverName = serverName;
    }

    boolean isClosing() {
        return closing;
    }

    void ended(Throwable cause) {
        ended = true;
        if (held != null) {
            held.end(cause);
        }
    }

    /** Called in a callback when there may be room for output that waits behind a file. */
    void continueHeldOutput() {
        if (isHolding()) {
            held.proceed();
        }
    }

    /** Called if the peer's close_notify ends both directions. Later writes are dropped. In TLS 1.3, called only after a cancellation. */
    void outputEndedByPeer() {
        endedByPeer = true;
    }

    boolean isOutputEndedByPeer() {
        return endedByPeer;
    }

    /** Called at the end of a callback. Ends the connection if the service knows of a close_notify that has caused a loss of output. */
    void endIfOutputIsLost() {
        if (lostByPeer && !closing && !records.hasFailed() && handler.input().isEndReported()) {
            closing = true;
            records.noteFailure(droppedByPeer());
            raw.close();
        }
    }

    /** Returns {@code cause}. If it is null and the peer's close_notify has caused a loss of output, returns an exception for that loss. */
    Throwable causeOfEnd(Throwable cause) {
        return cause == null && lostByPeer ? droppedByPeer() : cause;
    }

    private IOException droppedByPeer() {
        return new IOException(
                this + ": bytes were dropped because they were written after the peer's close_notify, which"
                        + " had ended both directions, as until TLS 1.2 it always does; write first, or use TLS 1.3");
    }

    private IOException droppedAtEnd() {
        return new IOException(this + ": bytes were dropped because they were written after close or shutdownOutput;"
                + " write first, and close behind that");
    }

    @Override
    public boolean isGone() {
        return ended || super.isGone();
    }

    private boolean takesOutput() {
        return !closing && !outputShut && !endedByPeer && !records.hasFailed();
    }

    /** Returns true if written bytes wait to be encrypted, except those of the current callback. Called in a callback. */
    boolean isHoldingOutput() {
        return isHolding() || mailedBytes.get() > 0;
    }

    boolean isOutputUsed() {
        return outputUsed;
    }

    /** Closes the connection after the written bytes. Called in a callback if the peer has ended the connection without a close_notify. */
    void closeTruncated(SSLException cause) {
        closeBehindHeld(() -> {
            records.noteFailure(cause);
            closeRaw(outputShut);
        });
    }

    private void closeBehindHeld(Runnable close) {
        closing = true;
        if (isHolding()) {
            output.beginClose();
        }
        behindHeld(close);
    }

    private void behindHeld(Runnable end) {
        if (isHolding()) {
            held.add(end);
        } else {
            end.run();
        }
    }

    boolean isOffloading() {
        return offloading;
    }

    void continues() {
        offloading = false;
    }

    @Override
    public SSLSession session() {
        return engine.getSession();
    }

    @Override
    public String applicationProtocol() {
        return Objects.requireNonNullElse(engine.getApplicationProtocol(), "");
    }

    @Override
    public String serverName() {
        return serverName;
    }

    @Override
    public void write(ByteBuffer data) {
        write(data, NO_BYTES);
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(body, "body"); // before the head is consumed
        outputUsed = true;
        if (!actsAtOnce()) {
            mail(head, body);
        } else if (!takesOutput()) {
            drop(head);
            drop(body);
        } else {
            requireRoom(Math.addExact(head.remaining(), body.remaining()));
            take(head);
            if (body.hasRemaining()) {
                take(body);
            }
        }
    }

    @Override
    public boolean actsAtOnce() {
        return handler.isInCallback() && output.actsAtOnce();
    }

    @Override
    public void handOver(Runnable call, CallKind kind) {
        output.handOver(() -> handler.make(call), kind);
    }

    private void drop(ByteBuffer data) {
        noteDropped(data.hasRemaining());
        data.position(data.limit());
    }

    void noteDropped(boolean any) {
        outputDropped |= any;
        lostByPeer |= any && endedByPeer && !closing && !outputShut;
    }

    @Override
    public void writeUnbounded(ByteBuffer data) {
        outputUsed = true;
        if (!handler.isInCallback()) {
            mail(data, NO_BYTES);
        } else if (!takesOutput()) {
            drop(data);
        } else {
            take(data);
        }
    }

    private void take(ByteBuffer plaintext) {
        if (isHolding()) {
            held.add(plaintext);
        } else {
            records.write(plaintext);
        }
    }

    private boolean isHolding() {
        return held != null && !held.isEmpty();
    }

    @Override
    public void sendFile(ReactorFile file, long position, long count) throws IOException {
        FileRange range = FileRange.of(file, position, count);
        outputUsed = true;
        boolean taken = false;
        try {
            if (actsAtOnce()) {
                requireFileRoom();
                taken = true;
                send(range);
            } else {
                taken = mail(range);
            }
        } finally {
            if (!taken) {
                range.release();
            }
        }
    }

    private void requireFileRoom() {
        if (held != null && held.isFull()) {
            writablePending = true;
            throw new WriteQueueFullException(
                    "the peer does not read: " + HeldOutput.FILE_RANGES_MAX
                            + " ranges of files wait to be sent, which is the limit; send again when writable is called",
                    true);
        }
    }

    /** Hands over a range of a file. Called outside a callback. Returns false if the connection is gone. */
    private boolean mail(FileRange range) {
        while (!isGone()) {
            try {
                if (held != null && held.isFull()) {
                    writablePending = true;
                    handOver(this::heldOutputFalls, CallKind.ASIDE); // the output may have fallen since
                    requireFileRoom();
                }
                handOver(() -> send(range), CallKind.WRITE);
                return true;
            } catch (RejectedExecutionException goneOrFull) {
                raw.write(NO_BYTES.duplicate()); // throws, as without TLS, if the mailbox is still full
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Sends and releases a range. If the output has ended, only releases it. Called in a callback, or when the connection is gone. */
    private void send(FileRange range) {
        if (!handler.isInCallback() || !takesOutput() || ended) {
            noteDropped(range.left() > 0);
            range.release();
            return;
        }
        records.flush();
        if (held == null) {
            held = new HeldOutput(handler, records, this, raw);
        }
        boolean first = held.isEmpty();
        held.add(range);
        if (first) {
            held.proceed();
        }
    }

    private boolean mayNotifyWritable() {
        return writablePending
                && mailedBytes.get() == 0
                && (held == null
                        || !held.isFull() && held.bytes() <= raw.limits().lowWatermark());
    }

    /** Called at the end of a callback. If the service waits for room and there is room now, the service is notified next. */
    void notifyWritableIfDue() {
        if (mayNotifyWritable()) {
            try {
                handOver(this::heldOutputFalls, CallKind.ASIDE);
            } catch (RejectedExecutionException goneOrFull) {
                // the tasks that fill the mailbox are callbacks, and call this method at their end
            }
        }
    }

    void becomesWritable() {
        if (mayNotifyWritable()) {
            writablePending = false;
        }
    }

    /** Called when less output waits behind a file. If the service waits for room, notifies the service. */
    void heldOutputFalls() {
        if (mayNotifyWritable()) {
            writablePending = false;
            if (!closing && !outputShut && handler.isInCallback()) {
                notifyWritable();
            }
        }
    }

    private void mail(ByteBuffer head, ByteBuffer body) {
        int count = Math.addExact(head.remaining(), body.remaining());
        int encrypted = records.encryptedBytes(count);
        int headPosition = head.position();
        int bodyPosition = body.position();
        while (!isGone()) {
            reserve(count, encrypted);
            try {
                ByteBuffer copy = ByteBuffer.allocate(count).put(head).put(body).flip();
                handOver(() -> writeMailed(copy, count, encrypted), CallKind.WRITE);
                return;
            } catch (RejectedExecutionException goneOrFull) {
                giveBack(count, encrypted);
                head.position(headPosition);
                body.position(bodyPosition);
                raw.write(NO_BYTES.duplicate()); // throws, as without TLS, if the mailbox is still full
                Thread.onSpinWait();
            } catch (Throwable failed) { // no memory for the copy or the task
                giveBack(count, encrypted);
                head.position(headPosition);
                body.position(bodyPosition);
                throw failed;
            }
        }
        head.position(head.limit());
        body.position(body.limit());
    }

    private void reserve(int count, int encrypted) {
        output.requireRoom(encrypted);
        long queueLimit = raw.limits().queueLimit();
        output.countHeldBack(count);
        long reserved = mailedRecordBytes.addAndGet(encrypted);
        long behindFile = heldPlaintextBytes();
        boolean others = mailedBytes.getAndAdd(count) > 0 || behindFile > 0;
        long queued = raw.queuedBytes() + behindFile;
        if (queued + reserved > raw.limits().highWatermark()) {
            writablePending = true;
        }
        if (others && queued + reserved > queueLimit) {
            writablePending =
                    true; // set first, because the callback that writes the last of these bytes reads the field
            giveBack(count, encrypted);
            if (mailedBytes.get() > 0 || heldPlaintextBytes() > 0) {
                throw new WriteQueueFullException(
                        "other threads have handed over, or wait behind a file with, as many bytes as the limit of "
                                + queueLimit + " allows; write again when writable is called",
                        true);
            }
            reserve(count, encrypted);
        }
    }

    private void giveBack(int count, int encrypted) {
        output.countHeldBack(-count);
        mailedRecordBytes.addAndGet(-encrypted);
        mailedBytes.addAndGet(-count);
    }

    private void writeMailed(ByteBuffer copy, int count, int encrypted) {
        boolean takesOutput = handler.isInCallback() && takesOutput();
        output.countHeldBack(-count);
        try {
            if (takesOutput) {
                take(copy);
            } else {
                noteDropped(count > 0);
            }
        } finally {
            TlsBuffers.erase(copy, count);
        }
        mailedRecordBytes.addAndGet(-encrypted);
        boolean last = mailedBytes.addAndGet(-count) == 0;
        if (last && !handler.isInsideCall()) {
            heldOutputFalls();
            handler.input().continueWithAlert();
        } else if (last && handler.input().isAlertHeld()) {
            notifyWritableIfDue(); // Notified first, because the alert may end the output.
            handler.redeliverSoon();
        }
    }

    /** Notifies the service when the queue has fallen to the low watermark. */
    private void notifyWritable() {
        StreamLimits limits = raw.limits();
        try {
            output.requireRoom((int) Math.min(Integer.MAX_VALUE, limits.queueLimit() - limits.lowWatermark()));
        } catch (WriteQueueFullException later) {
            return; // the connection below calls writable when there is room
        }
        handler.callWritable();
    }

    private long heldPlaintextBytes() {
        HeldOutput behindFile = held;
        return behindFile == null ? 0 : behindFile.plaintextBytes();
    }

    @Override
    public void requireRoom(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the room must be at least 0 bytes, but is " + bytes);
        }
        outputUsed = true;
        long behindFile = heldPlaintextBytes();
        int own = records.encryptedBytes((handler.isInCallback() ? records.gatheredBytes() : 0L) + behindFile + bytes);
        long queueLimit = raw.limits().queueLimit();
        if (behindFile > 0 && own > queueLimit && records.encryptedBytes(bytes) <= queueLimit) {
            writablePending = true;
            throw new WriteQueueFullException(
                    "the peer does not read: " + behindFile + " bytes wait behind a file, and " + bytes
                            + " more would exceed the limit of " + queueLimit + "; write again when writable is called",
                    true);
        }
        long withMailed = Math.min(queueLimit, own + mailedRecordBytes.get());
        output.requireRoom((int) Math.min(Integer.MAX_VALUE, Math.max(own, withMailed)));
    }

    @Override
    public void flush() {
        if (handler.isInCallback()) {
            records.flush();
            raw.flush();
        }
    }

    /** First encrypts all earlier writes, so that no record contains bytes from both before and after a completion. */
    @Override
    public void whenWritten(WriteCompletion completion) {
        Objects.requireNonNull(completion, "completion");
        if (actsAtOnce()) {
            whenTaken(completion);
        } else {
            handOver(() -> whenTakenBy(completion), CallKind.OTHER);
        }
    }

    /** Called in a callback, after {@link #take} has received all earlier output. */
    private void whenTaken(WriteCompletion completion) {
        WriteCompletion own = outputDropped ? failing(completion) : completion;
        if (isHolding()) {
            held.add(own);
        } else {
            whenEncrypted(own);
        }
    }

    private WriteCompletion failing(WriteCompletion completion) {
        Throwable dropped = records.hasFailed() ? records.failure() : endedByPeer ? droppedByPeer() : droppedAtEnd();
        return (connection, failed) -> completion.completed(connection, failed == null ? dropped : failed);
    }

    /** Called in a callback, after {@link #records} has received all earlier output. */
    void whenEncrypted(WriteCompletion completion) {
        records.flush();
        WriteCompletion own = records.hasDroppedOutput() ? failing(completion) : completion;
        raw.whenWritten((connection, failed) -> handler.call(() -> own.completed(this, handler.reason(failed))));
    }

    /** Reports a refusal to the completion itself, because the call of the service has already returned. */
    private void whenTakenBy(WriteCompletion completion) {
        try {
            whenTaken(completion);
        } catch (RejectedExecutionException goneOrFull) {
            handler.complete(completion, goneOrFull);
        }
    }

    @Override
    public long queuedBytes() {
        HeldOutput behindFile = held;
        long waiting = behindFile == null ? 0 : behindFile.bytes();
        return raw.queuedBytes() + waiting + mailedBytes.get() + (handler.isInCallback() ? records.gatheredBytes() : 0);
    }

    @Override
    public boolean isWritable() {
        outputUsed = true;
        if (!raw.isWritable()) {
            return false;
        }
        if (queuedBytes() <= raw.limits().highWatermark()) {
            return true;
        }
        if (handler.isInCallback()) {
            records.flush(); // the connection below notifies the service of room for these bytes
            if (!raw.isWritable()) {
                return false;
            }
        }
        writablePending = true;
        if (held != null && held.bytes() > 0) {
            return false; // the thread that encrypts the last of these bytes sees writablePending
        }
        return mailedBytes.get() == 0; // the thread that writes the last of these bytes sees writablePending
    }

    @Override
    public void shutdownOutput() {
        if (offloading || !actsAtOnce()) {
            later(this::shutOutput, raw::shutdownOutput);
        } else {
            shutOutput();
        }
    }

    private void shutOutput() {
        if (!closing && !outputShut) {
            outputShut = true;
            behindHeld(this::endOutput);
        }
    }

    private void endOutput() {
        records.endOutput();
        raw.shutdownOutput();
    }

    @Override
    public void close() {
        if (offloading || !actsAtOnce()) {
            closeMailed |= !offloading && handler.isInCallback();
            later(this::beginClosing, this::closeWithoutNotify);
        } else {
            beginClosing();
        }
    }

    /** Closes without a close_notify, unless an earlier close has begun and may wait for a file. Any thread may call this method. */
    private void closeWithoutNotify() {
        if (!closing) {
            raw.close();
        }
    }

    private void beginClosing() {
        closeMailed = false;
        if (!closing) {
            boolean shut = outputShut;
            closeBehindHeld(() -> closeRaw(shut));
        }
    }

    private void closeRaw(boolean shut) {
        if (!shut) {
            records.endOutput();
        }
        raw.close();
    }

    /** Hands {@code change} over. If the mailbox is full, runs {@code atLeast}, which sends no close_notify. */
    private void later(Runnable change, Runnable atLeast) {
        try {
            handOver(change, CallKind.END);
        } catch (RejectedExecutionException goneOrFull) {
            atLeast.run();
        }
    }

    @Override
    public void pauseReading() {
        if (!handler.input().isEndReported()) { // after the end was reported, there is nothing to read
            raw.pauseReading();
        }
    }

    @Override
    public void resumeReading() {
        raw.resumeReading();
        handler.redeliverSoon();
    }

    @Override
    public void holdInput(boolean held) {
        super.holdInput(held);
        if (!held) {
            handler.input().giveUnreadAgain();
            handler.redeliverSoon();
        }
    }

    @Override
    public boolean isReceiving() {
        return !closing && !handler.input().isHandlerReplaced() && takesInput();
    }

    boolean takesInput() {
        return !closeMailed && raw.isReceiving();
    }

    @Override
    public ConnectionHandler replaceHandler(ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        if (!handler.isInCallback()) {
            throw new IllegalStateException("only a callback of " + this + " may replace its handler");
        }
        return handler.replaceHandler(next);
    }

    @Override
    public boolean isInCallback() {
        return handler.isInCallback();
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        raw.execute(() -> handler.run(task));
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        Objects.requireNonNull(task, "task");
        return raw.schedule(delay, () -> runScheduled(task));
    }

    @Override
    public ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task) {
        Objects.requireNonNull(task, "task");
        return raw.scheduleEvery(first, period, () -> runScheduled(task));
    }

    private void runScheduled(Runnable task) {
        if (!closing) { // a close may wait for a file, while the connection below is open
            handler.run(task);
        }
    }

    private void requireMayOffload() {
        if (handler.isInCallback() && (closing || closeMailed)) {
            throw new IllegalStateException(this + " is being closed");
        }
    }

    @Override
    public <T> void offload(
            Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        requireMayOffload();
        raw.offload(executor, work, handler.continuing(continuation));
        offloading = true;
    }

    @Override
    public <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        requireMayOffload();
        raw.offload(executor, work, handler.continuing(continuation));
        offloading = true;
    }

    @Override
    public UnixSocket unixSocket() {
        return this;
    }

    @Override
    public PeerCredentials peerCredentials() throws IOException {
        return raw.unixSocket().peerCredentials();
    }

    @Override
    public int peerPidfd() throws IOException {
        return raw.unixSocket().peerPidfd();
    }

    @Override
    public void writeDescriptors(ByteBuffer data, int... descriptors) {
        throw new UnsupportedOperationException(NO_DESCRIPTORS);
    }

    @Override
    public int takeDescriptor() {
        throw new UnsupportedOperationException(NO_DESCRIPTORS);
    }

    @Override
    public int receivedDescriptors() {
        throw new UnsupportedOperationException(NO_DESCRIPTORS);
    }

    @Override
    public String toString() {
        return raw + " over TLS";
    }
}
