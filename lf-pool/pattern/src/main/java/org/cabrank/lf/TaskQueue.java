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
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.observe.TaskCounters;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * Tasks from any thread for the threads of a pool: a bounded queue that is an event source like any other.
 *
 * <p>Any thread of the pool runs them, one at a time, in the order in which each producer has offered them. A task may take
 * time like a handler, and may promote a new leader like one. After {@value #BATCH_MAX} tasks other handles get their turn. A
 * thread that no other handle waits for returns to the queue up to {@link Dispatcher#ROUNDS_MAX} times at once. Tasks that
 * come together cost one wake-up.
 *
 * <p>No accepted task is lost silently. {@link #close} has all of them run. So has a graceful stop of the pool, which is
 * over when they have run. What is left after {@link LeaderFollowersPool#stopNow}, or when the pool has failed, is
 * available from {@link #unrun} once the handle set is closed, and one line is logged.
 *
 * <p>A task that waits for a {@link Reply} hands the queue over: the tasks behind it run during the wait, on another thread or on
 * the waiting one, because one of them may complete the reply. So tasks begin in their order and one at a time, but a task
 * that waits ends after those that were begun during its wait.
 *
 * <p>A task that throws, an error as well, is counted and logged once per kind; the next one runs.
 *
 * <p>All methods may be called by any thread.
 */
public final class TaskQueue implements Executor, AutoCloseable {
    /** Named bound. */
    public static final int CAPACITY_MAX = 1 << 24;

    /** Named bound: tasks that run before the handle set's other events get a turn. */
    static final int BATCH_MAX = 16;

    private static final System.Logger LOGGER = System.getLogger(TaskQueue.class.getName());

    /**
     * Named bound: how often a pool that stops looks for what a producer has taken a place for and not put there. At 50 µs
     * each that is at least 10 s: on a busy virtual machine a thread may well stand still for half a second.
     */
    private static final int PRODUCER_LOOKS_MAX = 200_000;

    private static final long PRODUCER_LOOK_NS = 50_000;

    private final HandleSet set;
    private final int capacity;
    private final CallbackFailures<Runnable> failures;

    /** Consumed by the handle's claim holder, and under this object's lock after the handle is closed. */
    private final MpscAtomicArrayQueue<Runnable> queue;

    private final VirtualHandle handle;

    /** Tasks that have ended, and those of them that threw. A task that has waited ends beside another. */
    private final LongAdder run = new LongAdder();

    private final LongAdder failed = new LongAdder();
    private final LongAdder refusedFull = new LongAdder();
    private final LongAdder refusedClosed = new LongAdder();

    private volatile boolean closing;
    private volatile Throwable closedBecauseOf;

    /** Guarded by this. */
    private final List<Runnable> unrun = new ArrayList<>();

    /**
     * A queue that the pool of {@code set} serves.
     *
     * @param name for messages
     * @param capacity maximum number of waiting tasks, from 1 to {@link #CAPACITY_MAX}
     * @throws IllegalStateException when the set is closed
     */
    public TaskQueue(HandleSet set, String name, int capacity) {
        this(set, name, capacity, (task, failure) -> {});
    }

    /**
     * A queue that the pool of {@code set} serves, and that reports the tasks that throw.
     *
     * @param name for messages
     * @param capacity maximum number of waiting tasks, from 1 to {@link #CAPACITY_MAX}
     * @param onFailure called with a task and what it threw, beside the count and the log entry, by the thread that has run the
     *     task and before the next task runs. What the listener throws is counted and logged
     * @throws IllegalStateException when the set is closed
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
        this.handle = set.registerVirtual("task queue " + Objects.requireNonNull(name, "name"), new Source());
        handle.callLast(); // a producer that was preempted may have kept the tasks behind its own from running
    }

    /**
     * Offers a task. An error that this method throws (a {@link StackOverflowError}, for instance) leaves the task refused, so that
     * the caller may run or offer it again; a wake-up that fails after the task was accepted is logged and made up for.
     *
     * @return false: the task will not run, because the queue is full or closed or its pool is stopping; that is counted
     */
    public boolean offer(Runnable task) {
        Objects.requireNonNull(task, "task");
        StackRoom.require(); // in the midst of an offer, the place that was taken would stay empty and stop the queue
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
            handle.post(Ready.POSTED);
        } catch (Throwable unwoken) { // no memory for a wake-up, or the kernel refuses
            makeUpForWakeUp(unwoken);
        }
        return !handle.isClosed() || !takeBack(task);
    }

    /** The task is accepted, and the caller would run it a second time if this method threw. */
    private void makeUpForWakeUp(Throwable unwoken) {
        set.failures().log("the wake-up for a task of %s failed, and is tried again", this, unwoken);
        try {
            set.dispatcher.makeUpForPosts();
        } catch (Throwable again) {
            set.failures().log("the wake-up for a task of %s failed again, and waits for the next event", this, again);
        }
    }

    /** @throws RejectedExecutionException when {@link #offer} is false, saying which of its reasons it was */
    @Override
    public void execute(Runnable task) {
        if (!offer(task)) {
            throw new RejectedExecutionException(
                    isClosing() ? closedInWords() : this + " is full, with " + capacity + " tasks that wait");
        }
    }

    private boolean isClosing() {
        LeaderFollowersPool pool = set.pool();
        return closing || handle.isClosed() || pool != null && pool.isStopping();
    }

    private String closedInWords() {
        Throwable cause = closedBecauseOf;
        if (cause != null) {
            return this + " is closed because of " + cause;
        }
        return this + (closing || handle.isClosed() ? " is closed" : " takes no tasks: " + set.pool() + " is stopped");
    }

    /**
     * The queue was closed while the task came: it has been run, is among those that were never run, or (which nobody saw
     * to) still stands in the queue.
     *
     * @return true: it will not run, and is taken out
     */
    private synchronized boolean takeBack(Runnable task) {
        collectUnrun();
        for (int i = unrun.size() - 1; i >= 0; i--) {
            if (unrun.get(i) == task) {
                unrun.remove(i);
                refusedClosed.increment();
                return true;
            }
        }
        return false;
    }

    /**
     * Called after the handle is closed. A producer that is still adding a task checks that afterwards, and also
     * calls this method.
     */
    private synchronized void collectUnrun() {
        for (Runnable task = queue.relaxedPoll(); task != null; task = queue.relaxedPoll()) {
            unrun.add(task);
        }
    }

    /** Takes no more tasks, has those that were accepted run, and leaves the handle set. Does not wait for that. */
    @Override
    public void close() {
        closing = true;
        handle.post(Ready.POSTED);
    }

    /** Returns true if the queue has left its handle set: nothing of it runs any more. */
    public boolean isClosed() {
        return handle.isClosed();
    }

    /** The tasks that were accepted and will never run; empty before {@link #isClosed}. */
    public synchronized List<Runnable> unrun() {
        return List.copyOf(unrun);
    }

    /** Maximum number of waiting tasks. */
    public int capacity() {
        return capacity;
    }

    /** Number of tasks that wait at this moment. */
    public int size() {
        return queue.size();
    }

    /** Counts since the start; a little late for concurrent changes by other threads. */
    public TaskCounters counters() {
        int left = unrun().size();
        return new TaskCounters(run.sum(), failed.sum(), refusedFull.sum(), refusedClosed.sum(), size(), left);
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    /** The queue's side towards its handle set. */
    private final class Source implements EventHandler {
        /** Tasks that have begun to wait for a reply. By the claim holder, which a task ceases to be when it begins. */
        private int handOvers;

        /** The claim goes to whoever runs the tasks behind the one that waits. */
        @Override
        public void beforeNestedWait(Handle self) {
            handOvers++;
            self.post(Ready.POSTED);
        }

        @Override
        public void handleEvent(Handle self, int ready) {
            LeaderFollowersPool pool = set.pool();
            for (int tasks = 0; !pool.isStoppingNow(); tasks++) {
                if (tasks >= BATCH_MAX && !pool.isStopping()) {
                    self.post(Ready.POSTED);
                    return;
                }
                // Not poll, which would spin for a producer that was preempted while it put its task down. That one
                // posts when it has done so. Only a pool that stops may be gone by then, with the tasks behind it.
                Runnable task = queue.relaxedPoll();
                if (task == null && pool.isStopping()) {
                    task = awaitProducer(pool);
                }
                if (task == null) {
                    if (closing && queue.isEmpty()) {
                        self.close();
                    }
                    return;
                }
                int before = handOvers;
                if (Thread.currentThread().isInterrupted()) { // left by the task before, and not for this task
                    pool.currentMember().noteInterrupt();
                }
                run(task);
                // Another thread may consume the queue since the task has waited, and the count has grown for good.
                if (handOvers != before || self.isClosed()) {
                    return;
                }
            }
        }

        /** The next task, once its producer has put it down; null: the queue is empty, or the producer is too slow. */
        private Runnable awaitProducer(LeaderFollowersPool pool) {
            for (int looks = 0; looks < PRODUCER_LOOKS_MAX && !queue.isEmpty() && !pool.isStoppingNow(); looks++) {
                LockSupport.parkNanos(PRODUCER_LOOK_NS);
                Runnable task = queue.relaxedPoll();
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
            collectUnrun();
            int left = unrun().size();
            if (left > 0) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        TaskQueue.this + " was closed before " + left + " of its tasks have run");
            }
        }
    }
}
