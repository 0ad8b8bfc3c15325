package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.cabrank.lf.dispatch.ServingPool;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.TaskCounters;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * A bounded queue of tasks. Any thread may offer a task, and the threads of a pool run the tasks. Any thread may call any method.
 *
 * <p>The pool runs the tasks one at a time. The tasks of one producer run in the order in which it offered them. A task may take as long as
 * a handler, and may promote a new leader. After {@value #BATCH_MAX} tasks other handles get their turn. Tasks offered together cost one
 * wake-up. If a task throws, even an error, the failure is counted and logged once per kind, and the next task runs.
 *
 * <p>No accepted task is lost. When {@link LeaderFollowersPool#awaitTermination} or {@link #isClosed} returns true, each accepted task has
 * run or is in {@link #unrun}, and no task is accepted any more. After {@link #close} all accepted tasks run. After a graceful stop of the
 * pool they run if the pool has threads or is closed by {@link LeaderFollowersPool#close}. These tasks are in {@link #unrun}:
 * <ul>
 *   <li>tasks that had not run at {@link LeaderFollowersPool#stopNow}, or when the pool failed;
 *   <li>tasks that had not run at {@link LeaderFollowersPool#stop()}, if the pool has no thread or the queue's handle is deactivated;
 *   <li>a task whose {@link #offer} began before the pool stopped, but which reached the queue after the last check of the queue.
 * </ul>
 * <p>If a task waits for a {@link Reply}, the tasks behind it run during the wait, because one of them may complete the reply. They run on
 * another thread or on the waiting thread.
 */
public final class TaskQueue implements Executor, AutoCloseable {
    public static final int CAPACITY_MAX = 1 << 24;

    static final int BATCH_MAX = 16;

    private static final System.Logger LOGGER = System.getLogger(TaskQueue.class.getName());

    /**
     * Limits the number of times that a stopping pool looks for a task whose producer has reserved a slot but not stored the task. All
     * these looks take at least 10 s, because a busy virtual machine may preempt the producer for half a second.
     */
    private static final int PRODUCER_LOOKS_MAX = 200_000;

    private static final long PRODUCER_LOOK_NS = 50_000;

    private final HandleSet set;
    private final int capacity;
    private final CallbackFailures<Runnable> failures;

    /** The claim holder takes tasks out. If the queue is {@link #sealed} or has ended, any thread may do this under this object's lock. */
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

    /** Number of tasks that {@link #unrun()} has returned. Its callers may have run these tasks. Guarded by this. */
    private int handedOut;

    /** Makes a queue without a failure listener. */
    public TaskQueue(HandleSet set, String name, int capacity) {
        this(set, name, capacity, (task, failure) -> {});
    }

    /**
     * Makes a queue that the pool of {@code set} serves, with a listener for tasks that throw.
     *
     * @param name name of the queue in messages
     * @param capacity maximum number of waiting tasks, from 1 to {@link #CAPACITY_MAX}
     * @param onFailure called with a task and its exception by the thread that ran the task. If it throws, its own exception is logged
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
        // In a graceful stop the last thread calls this handler again, for tasks whose producer was preempted.
        this.handle = set.registerCalledLast("task queue " + Objects.requireNonNull(name, "name"), new Source());
    }

    /**
     * Offers a task. Returns false and counts the refusal if the queue is full or closed, or if its pool is stopping. If this throws, the
     * task was not accepted. If only the wake-up of the pool fails, the task is accepted, and the wake-up is tried again.
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
        } catch (Throwable unwoken) { // not rethrown: the task is accepted and must not be offered again
            set.failures().log("the wake-up for a task of %s failed, and is tried again", this, unwoken);
            wakeUpAgain();
        }
        // This check comes after the task was stored. So a thread that ends the queue after this check sees the task.
        return !sealed && !hasEnded() || !removeTask(task);
    }

    private void wakeUpAgain() {
        try {
            set.wakeup();
        } catch (Throwable unwoken) { // not rethrown, as above
            set.failures().log("a task of %s waits for the next wake-up", this, unwoken);
        }
    }

    private boolean hasEnded() {
        ServingPool pool = set.dispatcher().pool();
        return handle.isClosed() || pool != null && pool.isTerminated();
    }

    /** @throws RejectedExecutionException if {@link #offer} returns false. The message has the reason */
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

    /** Refuses new tasks. When all accepted tasks have run, the queue leaves its handle set. Returns without waiting for this. */
    @Override
    public void close() {
        closing = true;
        handle.post(Ready.POSTED);
    }

    /** Returns true if the queue has left its handle set. Then its tasks no longer run. */
    public boolean isClosed() {
        return handle.isClosed();
    }

    /**
     * Returns the accepted tasks that will never run, in order. The list is empty until the queue {@linkplain #isClosed is closed} or its
     * pool has terminated. From then on the list is complete. If a thread was preempted in {@link #offer}, waits for this thread.
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

    /** Number of waiting tasks. Returns 0 after the queue has ended, because its tasks will never run. */
    public int size() {
        return hasEnded() ? 0 : queue.size();
    }

    /** Numbers of tasks since the start. The newest changes may be missing. */
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

        /** Posts the handle, so that a thread gets the claim and runs the tasks behind the waiting task. */
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
                // next() returns null if a producer has reserved a slot but not stored its task. Usually the producer
                // posts later, and this handler is called again. If the pool stops or the queue is sealed, nobody might
                // serve the post, so wait here.
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
                if (Thread.currentThread().isInterrupted()) { // the interrupt was not meant for this task
                    pool.currentThread().noteInterrupt();
                }
                run(task);
                // If the task has waited for a reply, another thread may take tasks out of the queue now, so this
                // thread must stop.
                if (handOvers != before || self.isClosed()) {
                    return;
                }
            }
        }

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
