package org.cabrank.stream.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.handle.CancellableWork;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.AttachmentKey;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.PeerCredentials;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.UnixSocket;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The calls of the service on a connection, and the fields that they change. In a callback a call changes fields at once, otherwise it
 * sends mail. This is a superclass of {@link StreamConnection} because both use the same fields for each request. Only the claim holder
 * uses the fields, unless a comment names other threads.
 */
abstract sealed class ConnectionCalls implements Connection, UnixSocket, DecoratorOutput permits StreamConnection {
    /** Ready bit of a post that is dispatched even while work is offloaded, for instance for {@link #abortAsked}. */
    static final int URGENT = Ready.POSTED_4;

    static final int MAIL = Inbox.MAIL;

    private static final int ATTACHMENTS = 2;

    private final long id = StreamContext.nextConnectionId();

    /** Read by any thread, written by the claim holder. */
    volatile ConnectionHandler handler;

    Handle handle;

    /** The value of {@link #handle} for other threads. The claim holder reads the plain field, which is faster. */
    private volatile Handle handleForOthers;

    final ConnectionTerms terms;
    final StreamIo io;
    final Inbox inbox;
    final Inbound inbound;
    final Outbound outbound;
    final MailedOutput mailed;
    final ConnectionTimer timer;

    /** Replaced by a move. */
    StreamContext context;

    ShardMove move;
    volatile ConnectionSchedule schedule;
    volatile WriteCompletions completions;

    private Map<AttachmentKey<?>, Object> attachments;

    IOException failure;

    /** True if an abort was requested outside a callback. An abort is not mail, because mail waits for offloaded work. */
    volatile boolean abortAsked;

    boolean closing;

    /** True if the output continues during {@link #closing}, see {@link #beginClose}. */
    boolean closeHeld;

    boolean aborted;

    boolean draining;

    ConnectionCalls(ConnectionHandler handler, StreamContext context, ConnectionTerms terms, StreamIo io) {
        this.handler = handler;
        this.context = context;
        this.terms = terms;
        this.io = io;
        this.outbound = io.newOutbound(context);
        this.outbound.serve(self());
        this.inbox = new Inbox(self(), outbound);
        this.mailed = new MailedOutput(self(), inbox, outbound);
        this.inbound = new Inbound(self());
        this.timer = new ConnectionTimer(self(), terms);
    }

    private StreamConnection self() {
        return (StreamConnection) this;
    }

    public final Handle handle() {
        return handle;
    }

    public final Handle handleVolatile() {
        return handleForOthers;
    }

    /** Called before the first event and at a move. If {@code MAIL} is then posted to the handle, earlier mail also runs. */
    public final void bind(Handle ownHandle) {
        handle = ownHandle;
        handleForOthers = ownHandle;
    }

    final boolean takesOutput() {
        return !outbound.shutWanted && outbound.failure() == null && (closeHeld ? !hasEnded() : !isEnding());
    }

    final boolean isEnding() {
        return closing || hasEnded();
    }

    private boolean hasEnded() {
        return aborted || failure != null || handle().isClosed();
    }

    void beginClosing() {
        if (!closing) {
            long nowNs = handle().handleSet().nanoTime();
            timer.beginClosing(nowNs, terms.closeTotalNs());
            closing = true; // set without a call in between, so that a stack overflow leaves both done or none
        }
    }

    void setDeadline(long changedNs) {
        if (!closing && !outbound.lost && !handle().isClosed()) {
            timer.setDeadline(changedNs);
        }
    }

    /** Requests a move; a later request replaces an earlier one. Called in a callback. */
    void requestMove(ShardMove wanted) {
        if (handle().isClosed()) { // in the last callback nobody would answer the request
            wanted.refuse();
            return;
        }
        ShardMove replaced = move;
        boolean isThere = wanted.isTo(context);
        move = isThere ? null : wanted; // first, because a dependent action may wait or request another move
        if (replaced != null) {
            replaced.refuse();
        }
        if (isThere) {
            wanted.done().complete(true);
        }
    }

    @Override
    public void write(ByteBuffer data) {
        Objects.requireNonNull(data, "data");
        if (!inbox.actsAtOnce()) {
            mailed.write(data, MailedOutput.NO_BYTES, null);
        } else if (takesOutput()) {
            outbound.write(data);
        } else {
            outbound.drop(data);
        }
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer body) {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(body, "body"); // checked before the head is consumed
        if (!inbox.actsAtOnce()) {
            mailed.write(head, body, null);
        } else if (takesOutput()) {
            outbound.write(head, body);
        } else {
            outbound.drop(head);
            outbound.drop(body);
        }
    }

    @Override
    public void writeUnbounded(ByteBuffer data) {
        if (!inbox.isInCallback()) {
            write(data);
        } else if (takesOutput()) {
            outbound.writeEncoded(data);
        } else {
            outbound.drop(data);
        }
    }

    @Override
    public boolean actsAtOnce() {
        return inbox.actsAtOnce();
    }

    @Override
    public void handOver(Runnable call, CallKind kind) {
        if (kind == CallKind.TASK || !inbox.isInCallback()) {
            inbox.requireRoom();
        }
        if (!inbox.handOver(kind, call)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    @Override
    public void countHeldBack(int bytes) {
        outbound.countMailed(bytes);
    }

    @Override
    public boolean isGone() {
        return inbox.isClosed();
    }

    @Override
    public void sendFile(ReactorFile file, long position, long count) throws IOException {
        FileRange range = FileRange.of(file, position, count);
        boolean taken = false;
        try {
            if (!inbox.actsAtOnce()) {
                mailed.send(range);
            } else if (takesOutput()) {
                countFileRange(range);
                taken = true;
                outbound.sendFile(range);
            } else {
                outbound.drop(range);
            }
            taken = true;
        } finally {
            if (!taken) {
                range.release();
            }
        }
    }

    private void countFileRange(FileRange range) {
        try {
            outbound.countFileRange(range);
        } catch (WriteQueueFullException full) {
            outbound.noteRefused(1);
            throw full;
        }
    }

    @Override
    public void whenWritten(WriteCompletion completion) {
        Objects.requireNonNull(completion, "completion");
        completions().ask(completion);
    }

    private WriteCompletions completions() {
        if (completions == null) {
            synchronized (this) {
                if (completions == null) {
                    completions = new WriteCompletions(self());
                }
            }
        }
        return completions;
    }

    @Override
    public void writeDescriptors(ByteBuffer data, int... descriptors) throws IOException {
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(descriptors, "descriptors");
        requirePassing().outbound().write(self(), data, descriptors);
    }

    private DescriptorPassing requirePassing() {
        DescriptorPassing passing = io.descriptors();
        if (passing == null) {
            throw new UnsupportedOperationException(
                    this + " passes no descriptors: ask for it with descriptorsMax in the options of"
                            + " its listener or its connect, at a Unix address");
        }
        return passing;
    }

    @Override
    public int receivedDescriptors() {
        return requirePassing().inbound().count();
    }

    @Override
    public int takeDescriptor() {
        return requirePassing().inbound().take();
    }

    @Override
    public void flush() {
        if (inbox.isInCallback() && !handle().isClosed()) {
            outbound.flush();
        }
    }

    @Override
    public long queuedBytes() {
        return outbound.queuedBytes()
                + mailed.bytes()
                + mailed.fileBytes()
                + (inbox.isInCallback() ? outbound.gatheredBytes() : 0);
    }

    @Override
    public boolean isWritable() {
        long queued = queuedBytes();
        if (queued <= context.limits().highWatermark() && isReactorWritable(queued)) {
            return true;
        }
        noteRefused(1);
        return false;
    }

    /** Requests a call of {@code writable} when there is room for a write of {@code bytes} bytes. */
    final void noteRefused(int bytes) {
        if (inbox.isInCallback() && mailed.bytes() == 0) {
            outbound.noteRefused(bytes);
        } else {
            mailed.noteRefusal(bytes);
        }
    }

    /** Does not count bytes of files, because they use no memory. */
    private boolean isReactorWritable(long queued) {
        return outbound.isReactorWritable(queued - outbound.queuedFileBytes() - mailed.fileBytes());
    }

    @Override
    public void pauseReading() {
        if (inbox.supersedes(Mailbox.Change.READING)) {
            inbound.pause();
        } else {
            inbox.handOver(Mailbox.Change.READING, inbound::pause);
        }
    }

    @Override
    public void resumeReading() {
        if (inbox.supersedes(Mailbox.Change.READING)) {
            inbound.resume();
        } else {
            inbox.handOver(Mailbox.Change.READING, inbound::resume);
        }
    }

    @Override
    public void holdInput(boolean held) {
        inbound.hold(held);
    }

    @Override
    public int pausesEnded() {
        return inbound.pausesEnded;
    }

    @Override
    public void requireRoom(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the room must be at least 0 bytes, but is " + bytes);
        }
        if (!inbox.isInCallback()) {
            mailed.requireRoom(bytes);
        } else if (takesOutput()) {
            outbound.requireRoom(0, bytes, true);
        }
    }

    @Override
    public boolean isInCallback() {
        return inbox.isInCallback();
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public boolean isReceiving() {
        return inbox.isInCallback()
                && !inbound.paused
                && !inbound.isHandlerReplaced()
                && !inbox.isCloseMailed()
                && !inbox.isOffloading()
                && !isEnding()
                && !abortAsked;
    }

    @Override
    public StreamLimits limits() {
        return context.limits();
    }

    @Override
    public void shutdownOutput() {
        if (inbox.mayChangeAtOnce()) {
            outbound.shut();
        } else {
            inbox.handOver(Mailbox.Change.OUTPUT, outbound::shut);
        }
    }

    @Override
    public void close() {
        if (inbox.mayChangeAtOnce()) {
            closeNow();
        } else {
            inbox.handOver(Mailbox.Change.CLOSE, this::closeNow);
        }
    }

    private void closeNow() {
        closeHeld = false; // a decorator withholds nothing any more
        beginClosing();
    }

    @Override
    public void beginClose() {
        if (!closing) {
            closeHeld = true;
            beginClosing();
        }
    }

    @Override
    public void abort() {
        if (inbox.isInCallback()) {
            aborted = true;
        } else {
            abortAsked = true; // set before the post, because a move first changes the handle and then reads the field
            handleVolatile().post(URGENT);
        }
    }

    @Override
    public void deadline(Duration limit) {
        long limitNs = StreamTimeouts.nanos(limit, "deadline");
        long deadlineNs =
                limitNs == 0 ? Handle.NO_DEADLINE : handleVolatile().handleSet().nanoTime() + limitNs;
        if (inbox.supersedes(Mailbox.Change.DEADLINE)) {
            setDeadline(deadlineNs);
        } else {
            inbox.handOver(Mailbox.Change.DEADLINE, () -> setDeadline(deadlineNs));
        }
    }

    @Override
    public void execute(Runnable task) {
        handOver(Objects.requireNonNull(task, "task"), CallKind.TASK);
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        return schedule().add(Objects.requireNonNull(delay, "delay"), null, task);
    }

    @Override
    public ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task) {
        return schedule().add(Objects.requireNonNull(first, "first"), Objects.requireNonNull(period, "period"), task);
    }

    private synchronized ConnectionSchedule schedule() {
        if (schedule == null) {
            schedule = new ConnectionSchedule(self());
        }
        return schedule;
    }

    @Override
    public <T> void offload(
            Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation) {
        inbox.requireMayOffload(continuation);
        handle().offload(executor, work, inbox.continuing(continuation));
        inbox.noteOffloaded();
    }

    @Override
    public <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation) {
        inbox.requireMayOffload(continuation);
        handle().offload(executor, work, inbox.continuing(continuation));
        inbox.noteOffloaded();
    }

    @Override
    public void promoteNewLeader() {
        if (inbox.isInCallback()) {
            LeaderFollowersPool pool = LeaderFollowersPool.of(handle().handleSet());
            if (pool != null) {
                pool.promoteNewLeader();
            }
        } else if (!handleVolatile().isClosed()) { // the thread that closes the connection makes the last callback
            throw new IllegalStateException("only a callback of " + this + " may promote a new leader");
        }
    }

    @Override
    public <T> Reply<T> newReply() {
        return LeaderFollowersPool.of(handle().handleSet()).newReply();
    }

    @Override
    public int shard() {
        return context.shard();
    }

    @Override
    public CompletableFuture<Boolean> moveTo(int shard) {
        ShardMove wanted = new ShardMove(self(), context.shardOfReactor(shard), new CompletableFuture<>());
        if (inbox.supersedes(Mailbox.Change.MOVE)) {
            requestMove(wanted);
        } else if (!inbox.handOver(Mailbox.Change.MOVE, wanted)) {
            wanted.refuse();
        }
        return wanted.done();
    }

    @Override
    public SocketAddress remoteAddress() {
        return io.remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return io.localAddress();
    }

    @Override
    public <T> void option(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option, "option");
        io.option(option, value);
    }

    @Override
    public <T> T option(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option, "option");
        return io.option(option);
    }

    @Override
    public TcpInfo tcpInfo() throws IOException {
        return io.tcpInfo();
    }

    @Override
    public UnixSocket unixSocket() {
        return this;
    }

    @Override
    public PeerCredentials peerCredentials() throws IOException {
        return io.peerCredentials();
    }

    @Override
    public int peerPidfd() throws IOException {
        return io.peerPidfd();
    }

    @Override
    public ConnectionHandler replaceHandler(ConnectionHandler next) {
        Objects.requireNonNull(next, "next");
        if (!inbox.isInCallback()) {
            throw new IllegalStateException("only a callback of " + this + " may replace its handler");
        }
        ConnectionHandler former = handler;
        handler = next;
        inbound.replaceHandler();
        handle().post(Ready.WRITE | MAIL); // gives the unread bytes to the next handler
        return former;
    }

    /** Returns the cause with which the connection is closed, or null. A different cause of the handle takes precedence. */
    public IOException failure() {
        return failure;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    @SuppressWarnings("unchecked") // attach accepts only a T for an AttachmentKey<T>
    public <T> T attachment(AttachmentKey<T> key) {
        Objects.requireNonNull(key, "key");
        return attachments == null ? null : (T) attachments.get(key);
    }

    @Override
    public <T> void attach(AttachmentKey<T> key, T value) {
        Objects.requireNonNull(key, "key");
        if (attachments == null) {
            attachments = new IdentityHashMap<>(ATTACHMENTS);
        }
        if (value == null) {
            attachments.remove(key);
        } else {
            attachments.put(key, value);
        }
    }

    @Override
    public String toString() {
        return "connection " + id + " with " + io.describePeer();
    }
}
