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
 * A bounded queue of tasks that any thread offers and the threads of a pool run: an event source like any other. Any thread may call any
 * method.
 *
 * <p>Threads of the pool run the tasks, one at a time, in the order in which each producer offered them. A task may take as long as a
 * handler, and may promote a new leader. After {@value #BATCH_MAX} tasks other handles get their turn. If no other handle is ready, the
 * thread returns to the queue at once, up to {@link Dispatcher#ROUNDS_MAX} times. Tasks offered together cost one wake-up. A task that
 * throws, even an error, is counted and logged once per kind; the next task runs.
 *
 * <p>No accepted task is lost. When {@link LeaderFollowersPool#awaitTermination} or {@link #isClosed} returns true, each accepted task has
 * run or is in {@link #unrun}, and no task is accepted any more. After {@link #close}, all accepted tasks run, and also after a graceful
 * stop if the pool has threads or {@link LeaderFollowersPool#close} ends it. These tasks are in {@link #unrun}:
 * <ul>
 *   <li>tasks that had not run at {@link LeaderFollowersPool#stopNow}, or when the pool failed;
 *   <li>tasks that had not run at {@link LeaderFollowersPool#stop()}, if the pool has no thread or the queue's handle is deactivated;
 *   <li>a task whose {@link #offer} began before the pool stopped, but which reached the queue after the last thread had checked it.
 * </ul>
 * <p>A task that waits for a {@link Reply} hands the queue over: the tasks behind it run during the wait, on another thread or on the
 * waiting thread, because one of them may complete the reply. So tasks begin in order and one at a time, but a waiting task may end after
 * tasks begun later.
 */
public final class TaskQueue implements Executor, AutoCloseable {
    public static final int CAPACITY_MAX = 1 << 24;

    /** Named bound: number of tasks that run before the set's other events get a turn. */
    static final int BATCH_MAX = 16;

    private static final System.Logger LOGGER = System.getLogger(TaskQueue.class.getName());

    /**
     * Named bound: number of polls of a stopping pool for a task whose producer has reserved a slot but not stored the task. They take 50
     * µs each, at least 10 s together: a busy virtual machine may preempt a thread for half a second.
     */
    private static final int PRODUCER_LOOKS_MAX = 200_000;

    private static final long PRODUCER_LOOK_NS = 50_000;

    private final HandleSet set;
    private final int capacity;
    private final CallbackFailures<Runnable> failures;

    /** Consumed by the handle's claim holder; by any thread, under this object's lock, once the queue is {@link #sealed} or has ended. */
    private final MpscAtomicArrayQueue<Runnable> queue;

    private final Handle handle;

    /** Number of ended tasks. A LongAdder, because a task that waited may end at the same time as another task. */
    private final LongAdder run = new LongAdder();

    private final LongAdder failed = new LongAdder();
    private final LongAdder refusedFull = new LongAdder();
    private final LongAdder refusedClosed = new LongAdder();

    private volatile boolean closing;

    /** True once a closing queue was found empty. An offer under way at that time removes its task again. */
    private volatile boolean sealed;

    private volatile Throwable closedBecauseOf;

    /** Tasks that were taken out of the queue and have not run. Guarded by this. */
    private final List<Runnable> unrun = new ArrayList<>();

    /** Number of tasks that {@link #unrun} has returned, so that its caller may have run them. Guarded by this. */
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
     * @param onFailure called with a task and its exception, in addition to the count and the log entry, by the thread that ran the task,
     *     before the next task runs. An exception of the listener is counted and logged
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
        // Called last in a graceful stop: a preempted producer may have held up the tasks behind its own.
        this.handle = set.registerCalledLast("task queue " + Objects.requireNonNull(name, "name"), new Source());
    }

    /**
     * Offers a task. Returns false, and counts the refusal, if the queue is full or closed or its pool is stopping: the task will not run.
     * If this method throws, even an error, the task was refused, so the caller may run it or offer it again. A wake-up that fails after
     * the task was accepted is logged and tried again.
     */
    public boolean offer(Runnable task) {
        Objects.requireNonNull(task, "task");
        StackRoom.require(); // a reserved slot that stays empty would block the queue
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
        } catch (Throwable unwoken) { // not thrown on: the task is accepted, and the caller would run it again
            set.failures().log("the wake-up for a task of %s failed, and is tried again", this, unwoken);
            set.wakeup();
        }
        // The slot was taken before this check, so a thread that ends the queue after this check sees the slot.
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
                    this, PRODUCER_LOOK_NS); // the task stands behind a task that its producer has not stored yet
        }
    }

    /** Moves the stored tasks of a queue that is sealed or has ended to {@code unrun}. Called under the lock. */
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

    /** Returns the number of tasks that will never run. Tasks that a producer is about to store are not counted. */
    private synchronized int unrunCount() {
        if (!hasEnded()) {
            return 0;
        }
        collect();
        return unrun.size();
    }

    /** Refuses tasks from now on, has the accepted tasks run, and then leaves the handle set. Does not wait for this. */
    @Override
    public void close() {
        closing = true;
        handle.post(Ready.POSTED);
    }

    /** Returns true if the queue has left its handle set: no task of it runs any more. */
    public boolean isClosed() {
        return handle.isClosed();
    }

    /**
     * Returns the accepted tasks that will never run, in order. The list is empty before the queue {@linkplain #isClosed is closed} or its
     * pool has terminated; from then on it is complete and does not change. Waits for a thread that was preempted in {@link #offer}.
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

    /** Counts since the start; a concurrent change may be missing. */
    public TaskCounters counters() {
        int left = unrunCount();
        return new TaskCounters(run.sum(), failed.sum(), refusedFull.sum(), refusedClosed.sum(), size(), left);
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    private final class Source implements EventHandler {
        /** Number of tasks that began to wait for a reply, and so gave up the claim. Used by the claim holder. */
        private int handOvers;

        /** The claim goes to the thread that will run the tasks behind the waiting task. */
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
                // Not poll, which would spin while a producer is preempted in an offer. The producer posts after it has
                // added its task. A stopping pool or a sealed queue might not serve this post, so wait here.
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
                    continue; // an offer that began before close() may have stored its task since
                }
                int before = handOvers;
                if (Thread.currentThread().isInterrupted()) { // an interrupt of the previous task, not for this task
                    pool.currentThread().noteInterrupt();
                }
                run(task);
                // If the task has waited, another thread may consume the queue since then. The count never falls.
                if (handOvers != before || self.isClosed()) {
                    return;
                }
            }
        }

        /** Returns the next task once its producer has stored it. Returns null if the queue is empty or the producer is too slow. */
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
