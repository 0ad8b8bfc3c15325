package org.cabrank.stream.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cabrank.lf.CancellableWork;
import org.cabrank.lf.Continuation;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Ready;
import org.cabrank.lf.Reply;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;

/**
 * The side of a connection that a service calls: notes what it asks for, at once in a callback and by way of the mailbox from
 * elsewhere. {@link StreamConnection} acts on it when the callback has ended.
 */
abstract class RequestedConnection implements Connection {
    /** Posted: the mailbox has something. */
    protected static final int MAIL = Ready.POSTED;

    /** Posted: {@link #abortAsked}. */
    static final int URGENT = Ready.POSTED_4;

    private static final VarHandle HANDLE;
    private static final VarHandle MAILED_BYTES;
    private static final VarHandle MAILED_REFUSAL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HANDLE = lookup.findVarHandle(RequestedConnection.class, "handle", Handle.class);
            MAILED_BYTES = lookup.findVarHandle(RequestedConnection.class, "mailedBytes", long.class);
            MAILED_REFUSAL = lookup.findVarHandle(RequestedConnection.class, "mailedRefusal", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long id = StreamContext.nextConnectionId();

    /** Given to {@link #write} by other threads, and not written yet. */
    private volatile long mailedBytes;

    /** Size of the largest refused write of another thread that the claim holder does not know of yet; 0: there is none. */
    private volatile int mailedRefusal;

    final Mailbox mailbox = new Mailbox();
    final Outbound outbound;

    /** Asked for; by the claim holder. */
    boolean readPaused;

    boolean outputShutWanted;
    boolean closing;
    boolean aborted;

    /** Asked for outside a callback. Not by mail, which waits for offloaded work. */
    volatile boolean abortAsked;

    /** A callback has handed work away that has not been gone on with; by the claim holder. */
    boolean offloading;

    /** Plain for the claim holder; another when the connection is moved. */
    private Handle handle;

    private Object attachment;

    RequestedConnection(StreamContext context) {
        this.outbound = new Outbound(context);
    }

    /** Once, before the first event. */
    protected final void bind(Handle ownHandle) {
        handle = ownHandle;
    }

    protected final Handle handle() {
        return handle;
    }

    /** Any thread. */
    protected final Handle handleVolatile() {
        return (Handle) HANDLE.getVolatile(this);
    }

    /** Claim holder: the connection is reached by another handle from now on. What was mailed before is found by a MAIL to it. */
    final void bindAnewVolatile(Handle other) {
        HANDLE.setVolatile(this, other);
    }

    /** Takes the queue of bytes that the socket has not taken, for whoever must keep their memory until requests have ended. */
    protected final OutboundQueue takeOutboundQueue() {
        return outbound.takeQueue();
    }

    /** The shard's that serves it. */
    abstract StreamContext context();

    /** In a callback: see {@link #moveTo}. */
    abstract void requestMove(MoveRequest wanted);

    /** The connection cannot go on. */
    abstract boolean hasFailed();

    /** Takes no more output; the connection ends when all has been sent. */
    abstract void beginClosing();

    /** In a callback: the deadline in ns of the handle set's clock, or {@link Handle#NO_DEADLINE}. */
    abstract void setDeadline(long deadlineNs);

    /** Claim holder: the work that a callback has handed away is done, and this is what it goes on with. */
    abstract void goOn(Callback continuation) throws Exception;

    private boolean isInCallback() {
        return handle.isHeldByCaller() && outbound.isEntered();
    }

    private boolean takesOutput() {
        return !closing && !outputShutWanted && !aborted && !hasFailed() && !handle.isClosed();
    }

    @Override
    public final void write(ByteBuffer data) {
        if (!isInCallback()) {
            mail(data);
        } else if (takesOutput()) {
            outbound.write(data);
        } else {
            data.position(data.limit());
        }
    }

    private void mail(ByteBuffer data) {
        StackRoom.require(); // in the midst of what follows, bytes would be counted and not mailed, or mailed and not
        // counted
        int count = data.remaining();
        try {
            outbound.requireRoom(
                    addMailed(count) - count, count); // first: a write that never fits must not be tried again
            if (isMailboxFull()) {
                throw new WriteQueueFullException(mailboxFull() + "; write again when writable is called", true);
            }
        } catch (WriteQueueFullException full) {
            addMailed(-count);
            if (mailbox.isClosed()) { // the handle may be closed because the connection is being moved
                data.position(data.limit());
                return;
            }
            if (full.mayRetry()) {
                noteRefusal(Math.max(1, count));
            }
            throw full;
        }
        int position = data.position();
        boolean added = false;
        try {
            ByteBuffer copy = ByteBuffer.allocate(count).put(data).flip();
            added = mailbox.add(() -> {
                long mailed = addMailed(-count) + count;
                if (isInCallback() && takesOutput()) {
                    outbound.writeMailed(copy, mailed);
                }
            });
        } catch (Throwable failed) { // no memory for the copy or for its place in the mailbox
            data.position(position);
            throw failed;
        } finally {
            if (!added) {
                addMailed(-count);
            }
        }
        notifyIf(added);
    }

    /**
     * Has the claim holder await the room for a refused write. The refusal is no mail, because there may be no memory for mail. Each
     * thread posts, because the thread that noted a refusal first may have had no stack left to post.
     */
    private void noteRefusal(int count) {
        int known;
        do {
            known = mailedRefusal;
        } while (known < count && !MAILED_REFUSAL.compareAndSet(this, known, count));
        handleVolatile().post(MAIL);
    }

    /** Called by the claim holder when the mailbox is empty: awaits the room for the refused writes of other threads. */
    final void awaitRoomForRefused() {
        if (mailedRefusal != 0) {
            outbound.noteRefused((int) MAILED_REFUSAL.getAndSet(this, 0));
        }
    }

    private long addMailed(int count) {
        return (long) MAILED_BYTES.getAndAdd(this, (long) count) + count;
    }

    @Override
    public final void flush() {
        if (isInCallback() && !handle.isClosed()) {
            outbound.flush();
        }
    }

    @Override
    public final long queuedBytes() {
        return outbound.queuedBytes() + mailedBytes + (isInCallback() ? outbound.gatheredBytes() : 0);
    }

    @Override
    public final void pauseReading() {
        if (isInCallback()) {
            readPaused = true;
        } else {
            handOver(Mailbox.Kind.READING, this::pauseReading);
        }
    }

    @Override
    public final void resumeReading() {
        if (isInCallback()) {
            readPaused = false;
        } else {
            handOver(Mailbox.Kind.READING, this::resumeReading);
        }
    }

    @Override
    public final void shutdownOutput() {
        if (mayChangeAtOnce()) {
            outputShutWanted = true;
        } else {
            handOver(Mailbox.Kind.OUTPUT, this::shutdownOutput);
        }
    }

    @Override
    public final void close() {
        if (mayChangeAtOnce()) {
            beginClosing();
        } else {
            handOver(Mailbox.Kind.CLOSE, this::close);
        }
    }

    @Override
    public final void abort() {
        if (isInCallback()) {
            aborted = true;
        } else {
            abortAsked = true; // first: whoever moves the connection changes the handle, and then looks
            handleVolatile().post(URGENT);
        }
    }

    @Override
    public final void deadline(Duration limit) {
        long limitNs = StreamTimeouts.nanos(limit, "deadline");
        long deadlineNs =
                limitNs == 0 ? Handle.NO_DEADLINE : handleVolatile().handleSet().nanoTime() + limitNs;
        if (isInCallback()) {
            setDeadline(deadlineNs);
        } else {
            handOver(Mailbox.Kind.DEADLINE, () -> setDeadline(deadlineNs));
        }
    }

    @Override
    public final void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (isMailboxFull()) {
            throw new RejectedExecutionException(mailboxFull());
        }
        if (!handOver(task)) {
            throw new RejectedExecutionException(this + " is closed");
        }
    }

    private boolean isMailboxFull() {
        boolean full = mailbox.size() >= context().limits().mailboxMax();
        if (full) {
            context().writeRefused();
        }
        return full;
    }

    private String mailboxFull() {
        return this + " has been handed " + context().limits().mailboxMax()
                + " tasks and writes that it has not come to yet, which is the limit; hand over fewer at a time, or raise"
                + " StreamLimits.mailboxMax";
    }

    /**
     * Returns true in a callback that has not handed work away; else the change goes by mail, behind the continuation, which may
     * still write. A callback makes its change without a lambda. With lambdas, later calls of all threads hung in a test whose
     * handlers overflow the stack. The probable, unproven cause is that a lambda was linked where the stack ended.
     */
    private boolean mayChangeAtOnce() {
        return isInCallback() && !offloading;
    }

    /** False: the connection is gone, and the task will not run. */
    final boolean handOver(Runnable task) {
        StackRoom.require(); // the task could be added and the caller be told that it was not
        return notifyIf(mailbox.add(task));
    }

    /** Hands over a change, which is never refused. False: the connection is gone, and the change will not run. */
    private boolean handOver(Mailbox.Kind kind, Mailbox.Change change) {
        StackRoom.require();
        return notifyIf(mailbox.add(kind, change, context().limits().mailboxMax()));
    }

    /** After mail was added, because the thread that moves the connection changes the handle first and looks for mail then. */
    private boolean notifyIf(boolean added) {
        if (added) {
            handleVolatile().post(MAIL);
        }
        return added;
    }

    /** Part of a callback. */
    interface Callback {
        void call() throws Exception;
    }

    @Override
    public final <T> void offload(
            Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation) {
        requireMayOffload(continuation);
        handle.offload(executor, work, continuing(continuation));
        offloading = true;
    }

    @Override
    public final <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation) {
        requireMayOffload(continuation);
        handle.offload(executor, work, continuing(continuation));
        offloading = true;
    }

    private void requireMayOffload(ConnectionContinuation<?> continuation) {
        Objects.requireNonNull(continuation, "continuation");
        if (!isInCallback()) {
            throw new IllegalStateException("only a callback of " + this + " may hand its work away");
        }
        if (!offloading && !takesOutput()) {
            throw new IllegalStateException(this + " is being closed");
        }
    }

    private <T> Continuation<T> continuing(ConnectionContinuation<? super T> continuation) {
        return new Continuation<T>() {
            @Override
            public void resume(Handle ownHandle, T result) throws Exception {
                goOn(() -> continuation.resume(RequestedConnection.this, result));
            }

            @Override
            public void failed(Handle ownHandle, Throwable failure) throws Exception {
                goOn(() -> continuation.failed(RequestedConnection.this, failure));
            }
        };
    }

    @Override
    public final void promoteNewLeader() {
        if (isInCallback()) {
            LeaderFollowersPool pool = handle.handleSet().pool();
            if (pool != null) {
                pool.promoteNewLeader();
            }
        } else if (!handleVolatile().isClosed()) { // the last callback is called by whoever closes the connection
            throw new IllegalStateException("only a callback of " + this + " may promote a new leader");
        }
    }

    @Override
    public final <T> Reply<T> newReply() {
        return handle.handleSet().pool().newReply();
    }

    @Override
    public final int shard() {
        return context().shard();
    }

    /** A request of another thread to be moved; a later one replaces it, as in a callback. */
    private final class MailedMove implements Mailbox.Change {
        private final MoveRequest wanted;

        MailedMove(MoveRequest wanted) {
            this.wanted = wanted;
        }

        @Override
        public void run() {
            requestMove(wanted);
        }

        @Override
        public void replaced() {
            wanted.done().complete(false);
        }
    }

    @Override
    public final CompletableFuture<Boolean> moveTo(int shard) {
        MoveRequest wanted = new MoveRequest(context().shardOfReactor(shard));
        if (isInCallback()) {
            requestMove(wanted);
        } else if (!handOver(Mailbox.Kind.MOVE, new MailedMove(wanted))) {
            wanted.done().complete(false);
        }
        return wanted.done();
    }

    @Override
    public final long id() {
        return id;
    }

    @Override
    public final Object attachment() {
        return attachment;
    }

    @Override
    public final void attach(Object changed) {
        attachment = changed;
    }
}
