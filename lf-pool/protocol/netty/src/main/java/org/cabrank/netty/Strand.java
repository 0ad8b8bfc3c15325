package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.transport.StreamContext;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/**
 * The event loop of one or several channels. A pool thread holds the strand while it runs an event or a task of the strand. If there is no
 * work, no thread holds the strand. All channels of a strand belong to its shard. Invariants:
 *
 * <ol>
 *   <li>One thread holds the strand at a time. It is the holder of the strand's {@link StrandClaim}. The claim makes the writes of a holder
 *       visible to the next holder.
 *   <li>{@link #inEventLoop(Thread)} is true for the holder alone, because only the holder writes its thread into {@link #holder}, and
 *       removes it before it leaves.
 *   <li>No task is lost, because a thread first puts a task into the queue and then makes the claim due. For its own tasks,
 *       the holder needs only the queue, because it checks the queue before it leaves.
 *   <li>Tasks of one thread run in the order in which the thread has added them, because every task goes through the queue. {@link
 *       #execute} never runs a task itself.
 *   <li>An event goes through the queue if another thread holds the strand.
 * </ol>
 */
final class Strand extends AbstractScheduledEventExecutor implements EventLoop, EventHandler {
    private static final int TASKS_MAX = 256;

    /** Largest number of rounds that cancel scheduled tasks after the end. A listener of a cancelled task may schedule a new task. */
    private static final int CANCEL_ROUNDS_MAX = 4;

    /** Packages of the tasks that are accepted even after the end. */
    private static final Set<String> NETTYS_PACKAGES = Set.of("io.netty.channel", "io.netty.bootstrap");

    /** Prefix of the class names of tasks that notify the listeners of a promise. */
    private static final String PROMISE_TASKS = DefaultPromise.class.getName() + "$";

    private static final int QUEUE_CHUNK = 16;
    private static final long NOT_ARMED = Long.MAX_VALUE;

    /** Result of {@link #nextScheduledTaskDeadlineNanos} without a scheduled task. */
    private static final long NO_TASK = -1;

    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(Strand.class, "holder", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CabrankEventLoopGroup group;
    private final DescriptorSet set;
    private final StreamContext shard;
    private final MpscUnboundedAtomicArrayQueue<Runnable> tasks = new MpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);

    private final StrandClaim claim = new StrandClaim();
    private volatile Thread holder;

    /** Handle of one of the channels. New tasks are posted to it. If null, they are posted to {@link #own}. */
    private volatile Handle primary;

    /** Handle for timers, and, while no channel has a handle, for tasks. Null until needed. Guarded by this. */
    private Handle own;

    private volatile boolean timerExpired;

    // ---- written by the holder ----

    private final List<AbstractCabrankChannel> channels = new ArrayList<>(1);

    private volatile int channelCount;

    private boolean occupied;

    private long armedNs = NOT_ARMED;

    /** Completed when the strand has no channels and no work. Null if no thread has asked for this promise. Guarded by this. */
    private Promise<Object> termination;

    Strand(CabrankEventLoopGroup group, DescriptorSet set, StreamContext shard) {
        super(group);
        this.group = group;
        this.set = set;
        this.shard = shard;
    }

    StreamContext shard() {
        return shard;
    }

    DescriptorSet set() {
        return set;
    }

    /** If this returns true, the caller holds the strand, and must {@link #leave} it. */
    boolean tryEnter() {
        if (!claim.tryEnter()) {
            return false;
        }
        HOLDER.setOpaque(this, Thread.currentThread());
        return true;
    }

    /** Called by the holder. Runs waiting tasks, and releases the strand, even if this method throws. */
    void leave() {
        try {
            runAndLeave();
        } catch (Throwable failure) { // for example an OutOfMemoryError of a logger
            if (inEventLoop()) {
                leaveToNext();
            }
            throw failure;
        }
    }

    private void runAndLeave() {
        for (; ; ) {
            if (timerExpired) {
                runScheduledTasks();
            }
            boolean more = runTasks();
            for (int i = 0; i < CANCEL_ROUNDS_MAX && needsTimer() && isTooLateForTimers(); i++) {
                cancelScheduledTasks();
                more = runTasks(); // tasks of the listeners
            }
            armTimer();
            if (more) {
                leaveToNext();
                return;
            }
            boolean ends = channelCount == 0 && nextScheduledTaskDeadlineNanos() == NO_TASK;
            noteOccupied(!ends);
            if (ends) {
                closeOwnHandle();
                armedNs = NOT_ARMED;
            }
            HOLDER.setOpaque(this, null);
            if (claim.tryLeave()) {
                if (ends) {
                    completeTermination();
                }
                return;
            }
            HOLDER.setOpaque(this, Thread.currentThread());
        }
    }

    /** Called by the holder. Leaves waiting tasks to the next holder. */
    private void leaveToNext() {
        HOLDER.setOpaque(this, null);
        claim.yield();
        wake();
    }

    private void noteOccupied(boolean now) {
        if (now != occupied) {
            occupied = now;
            group.noteOccupied(this, now);
        }
    }

    /** Returns true if tasks are left. If there is no work, does not read the queue, because reading it would probably miss the cache. */
    private boolean runTasks() {
        if (!claim.takeWork()) {
            return false;
        }
        for (int i = 0; i < TASKS_MAX; i++) {
            Runnable task = tasks.relaxedPoll(); // a thread that is adding a task makes the claim due afterwards
            if (task == null) {
                return false;
            }
            safeExecute(task);
        }
        return !tasks.isEmpty();
    }

    @SuppressWarnings("deprecation") // the ticker of the superclass, which no other method returns
    private void runScheduledTasks() {
        timerExpired = false;
        armedNs = NOT_ARMED;
        long nowNs = getCurrentTimeNanos();
        for (Runnable task = pollScheduledTask(nowNs); task != null; task = pollScheduledTask(nowNs)) {
            safeExecute(task);
        }
    }

    private boolean needsTimer() {
        long deadlineNs = nextScheduledTaskDeadlineNanos();
        return deadlineNs != NO_TASK && deadlineNs < armedNs;
    }

    /** Returns true if scheduled tasks must be cancelled, because the group has ended or no timer will expire any more. */
    private boolean isTooLateForTimers() {
        noteOccupied(true); // before the check: the end of the group cancels the tasks of strands that it knows
        return group.isShutdown() || isReactorOver();
    }

    /** Sets the timer to the earliest task. If this task is cancelled, the timer stays set, and expires without a task. */
    private void armTimer() {
        if (needsTimer() && !isReactorOver()) {
            long deadlineNs = nextScheduledTaskDeadlineNanos();
            ownHandle().scheduleTimer(set.nanoTime() + nextScheduledTaskNano());
            armedNs = deadlineNs; // last, because the lines above may throw, for example for lack of memory
        }
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        if (group.isShutdown() && !isOfNetty(task)) {
            throw new RejectedExecutionException("the event loop group is shut down");
        }
        add(task);
    }

    /** Returns true for tasks whose rejection would lose calls of listeners or {@code channelInactive}, or the results of writes. */
    private static boolean isOfNetty(Runnable task) {
        Class<?> type = task.getClass();
        return NETTYS_PACKAGES.contains(type.getPackageName()) || type.getName().startsWith(PROMISE_TASKS);
    }

    /** Runs a channel's task at once if the caller is the holder. Otherwise a holder runs it after earlier tasks, even after the end. */
    void runInside(Runnable task) {
        if (inEventLoop()) {
            task.run();
        } else {
            add(task);
        }
    }

    /** Makes a holder run the task after earlier tasks. Any thread may call this method. */
    void add(Runnable task) {
        StackRoom.require(); // an overflow below could break the queue, or leave the strand due without a post
        tasks.offer(task);
        group.noteTask();
        if (holder == Thread.currentThread()) {
            claim.noteOwnWork();
        } else {
            makeDue();
        }
    }

    private void makeDue() {
        if (claim.makeDue()) {
            wake();
        }
    }

    /** Notifies a pool thread. After the end of the reactor there is no pool thread, so the caller runs the tasks. */
    private void wake() {
        if (!isReactorOver()) {
            try {
                Handle posted = primary;
                (posted == null ? ownHandle() : posted).post(Ready.POSTED);
                return;
            } catch (IllegalStateException closed) {
                if (!isReactorOver()) {
                    throw closed;
                }
            }
        }
        if (tryEnter()) {
            leave();
        }
    }

    private boolean isReactorOver() {
        LeaderFollowersPool pool = LeaderFollowersPool.of(set);
        return pool != null && pool.isTerminated() || group.hasClosedItsReactor();
    }

    /** Called by any thread when a post to a handle may have been lost. */
    void runWaitingTasks() {
        if (claim.isDue()) {
            wake();
        }
    }

    @Override
    public void handleEvent(Handle handle, int ready) {
        if ((ready & Ready.TIMER) != 0) {
            timerExpired = true;
        }
        if (tryEnter()) {
            leave();
        } else if ((ready & Ready.TIMER) != 0) {
            makeDue();
        }
    }

    /** Called when the strand's own handle is closed. If its handler has failed, or the set was closed, a post may not have been served. */
    @Override
    public void handleClosed(Handle handle, Throwable cause) {
        boolean lost = isLost(handle);
        if (lost || isReactorOver()) {
            tasks.offer(() -> armedNs = NOT_ARMED); // the timer is gone: the holder sets it again or cancels the tasks
            claim.makeDue();
        }
        runWaitingTasks();
    }

    @Override
    public void beforeNestedWait(Handle handle) {
        throw refusal();
    }

    /** Returns the exception for a nested wait, which is refused because a strand cannot be released during an event. */
    static IllegalStateException refusal() {
        return new IllegalStateException(
                "a handler of a Netty pipeline must not await a reply of Cabrank's: use a promise of Netty's");
    }

    private synchronized Handle ownHandle() {
        if (own == null) {
            own = set.registerVirtual("strand " + Integer.toHexString(System.identityHashCode(this)), this);
        }
        return own;
    }

    /** Returns true if the strand itself has not closed the handle. */
    private synchronized boolean isLost(Handle closed) {
        boolean lost = own == closed;
        if (lost) {
            own = null;
        }
        return lost;
    }

    private synchronized void closeOwnHandle() {
        Handle closed = own;
        if (closed != null) {
            own = null; // before the close, which may call handleClosed
            closed.close();
        }
    }

    /** Called by the thread that registers a channel. Tasks are posted to its handle, unless another channel's handle is in use. */
    void watched(Handle handle) {
        if (primary == null) {
            primary = handle;
        }
    }

    /** Called when a channel's handle was closed. Posts again if tasks wait, because a post to the closed handle may be lost. */
    void unwatched(Handle handle) {
        if (primary == handle) {
            primary = null;
            runWaitingTasks();
        }
    }

    void added(AbstractCabrankChannel channel) {
        channels.add(channel);
        channelCount = channels.size();
        noteOccupied(true); // before the check: the end of the group closes channels of strands that it knows
        if (group.isShuttingDown() || !channel.joins(shard)) {
            execute(() -> channel.unsafe().close(channel.voidPromise()));
        }
    }

    void removed(AbstractCabrankChannel channel) {
        channels.remove(channel);
        channelCount = channels.size();
    }

    /** Called by any thread at the end of the group. */
    void cancelTimers() {
        add(() -> {
            cancelScheduledTasks();
            armedNs = NOT_ARMED;
        });
    }

    boolean hasChannels() {
        return channelCount > 0;
    }

    void closeChannels() {
        for (AbstractCabrankChannel channel : List.copyOf(channels)) {
            channel.unsafe().close(channel.voidPromise());
        }
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        Channel channel = promise.channel();
        if (channel instanceof AbstractCabrankChannel ours && !inEventLoop()) {
            ours.watchEarly(this);
        }
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        return register(promise);
    }

    @Override
    public boolean inEventLoop() {
        return holder == Thread.currentThread();
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return holder == thread;
    }

    @Override
    public EventLoopGroup parent() {
        return group;
    }

    @Override
    public EventLoop next() {
        return this;
    }

    @Override
    public boolean isShuttingDown() {
        return group.isShuttingDown();
    }

    @Override
    public boolean isShutdown() {
        return group.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return group.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return group.awaitTermination(timeout, unit);
    }

    /** Ends the whole group. A single strand ends by itself with its last channel. */
    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return group.shutdownGracefully(quietPeriod, timeout, unit);
    }

    @Override
    @Deprecated
    public void shutdown() {
        group.shutdown();
    }

    @Override
    public synchronized Future<?> terminationFuture() {
        if (termination == null) {
            termination = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
            makeDue(); // so that a holder completes the promise if there is no work
        }
        return termination;
    }

    private void completeTermination() {
        Promise<Object> asked;
        synchronized (this) {
            asked = termination;
        }
        if (asked != null) {
            asked.trySuccess(null);
        }
    }
}
