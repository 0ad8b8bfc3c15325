package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.ServingPool;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.TaskCounters;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * Tasks from any thread for the threads of a pool: a bounded queue that is an event source like any other. All methods may be called by any
 * thread.
 *
 * <p>Threads of the pool run the tasks, one at a time, in the order in which each producer offered them. A task may take time like a
 * handler, and may promote a new leader. After {@value #BATCH_MAX} tasks other handles get their turn. A thread that no other handle waits
 * for returns to the queue up to {@link Dispatcher#ROUNDS_MAX} times at once. Tasks offered together cost one wake-up. A task that throws,
 * even an error, is counted and logged once per kind; the next one runs.
 *
 * <p>No accepted task is lost. When {@link LeaderFollowersPool#awaitTermination} or {@link #isClosed} returns true, each accepted task has
 * run or is in {@link #unrun}, and no task is accepted any more. {@link #close} has all accepted tasks run. So has a graceful stop of a
 * pool that has threads, or that is ended by {@link LeaderFollowersPool#close}. These tasks are in {@link #unrun}:
 * <ul>
 *   <li>tasks left by {@link LeaderFollowersPool#stopNow}, or when the pool has failed;
 *   <li>tasks left by {@link LeaderFollowersPool#stop()}, if no thread takes part in the pool or the queue's handle is deactivated;
 *   <li>a task whose {@link #offer} began before the pool stopped, and that reached the queue after the last thread had looked.
 * </ul>
 * <p>A task that waits for a {@link Reply} hands the queue over: the tasks behind it run during the wait, on another thread or on the
 * waiting one, because one of them may complete the reply. So tasks begin in order and one at a time, but a task that waits ends after
 * those begun during its wait.
 */
public final class TaskQueue implements Executor, AutoCloseable {
    public static final int CAPACITY_MAX = 1 << 24;

    /** Named bound: tasks that run before the set's other events get a turn. */
    static final int BATCH_MAX = 16;

    private static final System.Logger LOGGER = System.getLogger(TaskQueue.class.getName());

    /**
     * Named bound: polls of a stopping pool for a task whose producer has reserved a slot but not stored the task. At 50 µs each at least
     * 10 s: a busy virtual machine may preempt a thread for half a second.
     */
    private static final int PRODUCER_LOOKS_MAX = 200_000;

    private static final long PRODUCER_LOOK_NS = 50_000;

    private final HandleSet set;
    private final int capacity;
    private final CallbackFailures<Runnable> failures;

    /** Consumed by the handle's claim holder, and under this object's lock once the queue is {@link #sealed} or has ended. */
    private final MpscAtomicArrayQueue<Runnable> queue;

    private final Handle handle;

    /** Number of ended tasks. A task that waited may end at the same time as another. */
    private final LongAdder run = new LongAdder();

    private final LongAdder failed = new LongAdder();
    private final LongAdder refusedFull = new LongAdder();
    private final LongAdder refusedClosed = new LongAdder();

    private volatile boolean closing;

    /** True after {@link #close} has found the queue empty. An offer under way then removes its task again. */
    private volatile boolean sealed;

    private volatile Throwable closedBecauseOf;

    /** Tasks taken out of the queue that have not run; guarded by this. */
    private final List<Runnable> unrun = new ArrayList<>();

    /** Number of tasks of {@code unrun} that {@link #unrun} has returned; its caller may run them. Guarded by this. */
    private int handedOut;

    /** A queue that the pool of {@code set} serves, without a failure listener: see the other constructor. */
    public TaskQueue(HandleSet set, String name, int capacity) {
        this(set, name, capacity, (task, failure) -> {});
    }

    /**
     * A queue that the pool of {@code set} serves, and that reports the tasks that throw.
     *
     * @param name for messages
     * @param capacity maximum number of waiting tasks, from 1 to {@link #CAPACITY_MAX}
     * @param onFailure called with a task and its exception, besides the count and the log entry, by the thread that ran the task and
     *     before the next task runs. What the listener throws is counted and logged
     * @throws IllegalStateException if the set is closed
     */
    public TaskQueue(
            HandleSet set, String name, int capacity, BiConsumer<? super Runnable, ? super Throwable> onFailure) {
        if (capacity < 1 || capacity > CAPACITY_MAX) {
            throw new IllegalArgumentException(
                    "the capacity must be from 1 to " + CAPACITY_MAX + ", but is " + capacity);
        }
        this.set = set;
        this.capacity = capacity;
        this.failures = new CallbackFailures<>(set, Objects.requireNonNull(onFailure, "onFailure"));
        this.queue = new MpscAtomicArrayQueue<>(capacity);
        // Called last: a producer that was preempted may have kept the tasks behind its own from running.
        this.handle = set.registerCalledLast("task queue " + Objects.requireNonNull(name, "name"), new Source());
    }

    /**
     * Offers a task. Returns false, counted, if the task will not run because the queue is full or closed or its pool is stopping. If this
     * method throws, even an error, the task is refused, so the caller may run or offer it again; a wake-up that fails after the task was
     * accepted is logged and made up for.
     */
    public boolean offer(Runnable task) {
        Objects.requireNonNull(task, "task");
        StackRoom.require(); // a slot that was reserved and stays empty would stop the queue
        if (isClosing()) {
            refusedClosed.increment();
            return false;
        }
        if (!queue.offerIfBelowThreshold(task, capacity)) {
            refusedFull.increment();
            set.noteQueueFull();
            return false;
        }
        try {
            set.dispatcher().post(handle, Ready.POSTED);
        } catch (Throwable unwoken) { // the task is accepted, and the caller would run it a second time
            set.failures().log("the wake-up for a task of %s failed, and is tried again", this, unwoken);
            set.wakeup();
        }
        // A thread that ends the queue later sees the slot of this task, because the slot was taken before this check.
        return !sealed && !hasEnded() || !removeTask(task);
    }

    private boolean hasEnded() {
        ServingPool pool = set.dispatcher().pool();
        return handle.isClosed() || pool != null && pool.isTerminated();
    }

    /** @throws RejectedExecutionException if {@link #offer} returns false, with the reason */
    @Override
    public void execute(Runnable task) {
        if (!offer(task)) {
            throw new RejectedExecutionException(
                    isClosing() ? closedInWords() : this + " is full, with " + capacity + " tasks that wait");
        }
    }

    private boolean isClosing() {
        ServingPool pool = set.dispatcher().pool();
        return closing || handle.isClosed() || pool != null && pool.isStopping();
    }

    private String closedInWords() {
        Throwable cause = closedBecauseOf;
        if (cause != null) {
            return this + " is closed because of " + cause;
        }
        return this
                + (closing || handle.isClosed()
                        ? " is closed"
                        : " takes no tasks: " + set.dispatcher().pool() + " is stopped");
    }

    private boolean removeTask(Runnable task) {
        for (; ; ) {
            synchronized (this) {
                collect();
                for (int i = unrun.size() - 1; i >= handedOut; i--) {
                    if (unrun.get(i) == task) {
                        unrun.remove(i);
                        refusedClosed.increment();
                        return true;
                    }
                }
                if (queue.isEmpty()) {
                    return false;
                }
            }
            LockSupport.parkNanos(
                    this, PRODUCER_LOOK_NS); // the task stands behind one that its producer has not put yet
        }
    }

    /** Takes the stored tasks out of a queue that is sealed or has ended. Called under the lock. */
    private void collect() {
        for (Runnable task = queue.relaxedPoll(); task != null; task = queue.relaxedPoll()) {
            unrun.add(task);
        }
    }

    private Runnable next() {
        if (!sealed) {
            return queue.relaxedPoll();
        }
        synchronized (this) {
            collect();
            return unrun.isEmpty() ? null : unrun.remove(0);
        }
    }

    private synchronized boolean isEmpty() {
        return queue.isEmpty() && unrun.isEmpty();
    }

    /** Returns the number of tasks that will never run, without those that a producer is about to store. */
    private synchronized int unrunCount() {
        if (!hasEnded()) {
            return 0;
        }
        collect();
        return unrun.size();
    }

    /** Refuses tasks from now on, runs the accepted ones, and leaves the handle set. Does not wait for that. */
    @Override
    public void close() {
        closing = true;
        handle.post(Ready.POSTED);
    }

    /** Returns true if the queue has left its handle set: nothing of it runs any more. */
    public boolean isClosed() {
        return handle.isClosed();
    }

    /**
     * Returns the accepted tasks that will never run, in order. Empty before the queue {@linkplain #isClosed is closed} or its pool has
     * terminated; complete and unchanged from then on. Waits for a thread that is preempted in an {@link #offer}.
     */
    public List<Runnable> unrun() {
        while (hasEnded()) {
            synchronized (this) {
                collect();
                if (queue.isEmpty()) {
                    handedOut = unrun.size();
                    return List.copyOf(unrun);
                }
            }
            LockSupport.parkNanos(this, PRODUCER_LOOK_NS);
        }
        return List.of();
    }

    public int capacity() {
        return capacity;
    }

    /** Number of waiting tasks; 0 if they will never run. */
    public int size() {
        return hasEnded() ? 0 : queue.size();
    }

    /** Counts since the start; a little late for concurrent changes. */
    public TaskCounters counters() {
        int left = unrunCount();
        return new TaskCounters(run.sum(), failed.sum(), refusedFull.sum(), refusedClosed.sum(), size(), left);
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    private final class Source implements EventHandler {
        /** Number of tasks that began to wait for a reply. Used by the claim holder; a waiting task gives up the claim. */
        private int handOvers;

        /** The claim goes to the thread that runs the tasks behind the waiting one. */
        @Override
        public void beforeNestedWait(Handle self) {
            handOvers++;
            self.post(Ready.POSTED);
        }

        @Override
        public void handleEvent(Handle self, int ready) {
            ServingPool pool = set.dispatcher().pool();
            for (int tasks = 0; !pool.isStoppingNow(); tasks++) {
                if (tasks >= BATCH_MAX && !pool.isStopping()) {
                    self.post(Ready.POSTED);
                    return;
                }
                // Not poll, which would spin while a producer that has begun to add its task is preempted. The producer
                // posts after it has added the task. A stopping pool or a sealed queue may not serve that post: wait.
                Runnable task = next();
                if (task == null && (pool.isStopping() || sealed)) {
                    task = awaitProducer(pool);
                }
                if (task == null) {
                    if (!closing || !isEmpty()) {
                        return;
                    }
                    if (sealed) {
                        self.close();
                        return;
                    }
                    sealed = true;
                    continue; // an offer that had begun before close() may have put its task
                }
                int before = handOvers;
                if (Thread.currentThread().isInterrupted()) { // left by the task before, and not for this task
                    pool.currentThread().noteInterrupt();
                }
                run(task);
                // The last task waited: another thread may consume the queue since, and the count never falls.
                if (handOvers != before || self.isClosed()) {
                    return;
                }
            }
        }

        /** Returns the next task once its producer has stored it; null if the queue is empty or the producer too slow. */
        private Runnable awaitProducer(ServingPool pool) {
            for (int looks = 0; looks < PRODUCER_LOOKS_MAX && !isEmpty() && !pool.isStoppingNow(); looks++) {
                LockSupport.parkNanos(PRODUCER_LOOK_NS);
                Runnable task = next();
                if (task != null) {
                    return task;
                }
            }
            return null;
        }

        private void run(Runnable task) {
            try {
                task.run();
            } catch (Throwable failure) {
                failed.increment();
                failures.note("a task of %s failed", TaskQueue.this, task, failure);
            } finally {
                run.increment();
            }
        }

        @Override
        public void handleClosed(Handle closed, Throwable cause) {
            closedBecauseOf = cause;
            int left = unrunCount();
            if (left > 0) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        TaskQueue.this + " was closed before " + left + " of its tasks have run");
            }
        }
    }
}
