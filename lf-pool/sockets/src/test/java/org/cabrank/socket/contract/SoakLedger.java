package org.cabrank.socket.contract;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;

/** The books of a soak: counts that must balance at the end, and errors. Any thread. */
final class SoakLedger implements AutoCloseable {
    private static final int ERRORS_MAX = 50;

    /** Connections that a client's connect has returned. */
    final AtomicLong connected = new AtomicLong();

    /** Connections on which bytes came back. A ring may find a connection gone that its peer has reset at once. */
    final AtomicLong answered = new AtomicLong();

    /** Connections whose handler the supplier refused by an exception: they are never opened. */
    final AtomicLong refused = new AtomicLong();

    /** Connections that ended before their first answer though nobody was to end them. */
    final AtomicLong seenRefused = new AtomicLong();

    final AtomicLong opened = new AtomicLong();
    final AtomicLong closed = new AtomicLong();

    /** Bytes that clients sent on connections that nobody ended early. */
    final AtomicLong sentBytes = new AtomicLong();

    /** Bytes of them that came back once and in order. */
    final AtomicLong comparedBytes = new AtomicLong();

    /** Bytes that came back beyond the last byte that was sent, or unlike the byte at their place. */
    final AtomicLong wrongBytes = new AtomicLong();

    /** Failures that handlers, tasks and timers have thrown. */
    final AtomicLong thrown = new AtomicLong();

    final AtomicLong tasksAccepted = new AtomicLong();
    final AtomicLong tasksRun = new AtomicLong();
    final AtomicLong timersSet = new AtomicLong();
    final AtomicLong timersRun = new AtomicLong();
    final AtomicLong moved = new AtomicLong();

    private final AtomicLong movesAsked = new AtomicLong();
    private final AtomicLong movesAnswered = new AtomicLong();
    private final AtomicLong outsideBegun = new AtomicLong();
    private final AtomicLong outsideEnded = new AtomicLong();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();

    /** Threads that belong to no pool: writers, completers of replies, executors of offloaded work. */
    private final ScheduledExecutorService outside = Executors.newScheduledThreadPool(3);

    Executor executor() {
        return outside;
    }

    void error(String what) {
        if (errors.size() < ERRORS_MAX) {
            errors.add(what);
        }
    }

    Queue<String> errors() {
        return errors;
    }

    /** Counts the exception that is returned, for the caller to throw. */
    IllegalStateException onPurpose() {
        thrown.incrementAndGet();
        return new IllegalStateException(SoakLog.ON_PURPOSE);
    }

    /** Counts the error that is returned, for the caller to throw. */
    OutOfMemoryError outOfMemoryOnPurpose() {
        thrown.incrementAndGet();
        return new OutOfMemoryError(SoakLog.ON_PURPOSE);
    }

    /** Overflows the stack of the calling thread: always throws. */
    void overflowStackOnPurpose() {
        thrown.incrementAndGet();
        if (overflow(1) != 0) {
            throw new AssertionError("a stack without an end");
        }
    }

    private static int overflow(int depth) {
        return depth == 0 ? 0 : overflow(depth + 1) + 1;
    }

    /** Runs {@code action} in a thread of no pool, {@code delayNs} from now. */
    void outside(long delayNs, Runnable action) {
        outsideBegun.incrementAndGet();
        outside.schedule(
                () -> {
                    try {
                        action.run();
                    } catch (RuntimeException failed) {
                        error("outside a callback: " + failed);
                    } finally {
                        outsideEnded.incrementAndGet();
                    }
                },
                delayNs,
                TimeUnit.NANOSECONDS);
    }

    /** Counts the task if the connection accepts it. */
    void execute(Connection connection, Runnable task) {
        tasksAccepted.incrementAndGet(); // before it may run
        try {
            connection.execute(once("a task of connection " + connection.id(), tasksRun, task));
        } catch (RejectedExecutionException gone) {
            tasksAccepted.decrementAndGet();
        }
    }

    /** Counts a run in {@code runs}; a second run of the same task is an error. */
    Runnable once(String what, AtomicLong runs, Runnable task) {
        AtomicInteger own = new AtomicInteger();
        return () -> {
            runs.incrementAndGet();
            if (own.incrementAndGet() != 1) {
                error(what + " ran " + own + " times");
            }
            task.run();
        };
    }

    /** Moves the connection to the next shard; the future must be completed some time. */
    void move(Connection connection, int shards) {
        movesAsked.incrementAndGet();
        connection.moveTo((connection.shard() + 1) % shards).whenComplete((arrived, failure) -> {
            movesAnswered.incrementAndGet();
            if (failure != null) {
                error("a move failed: " + failure);
            } else if (arrived) {
                moved.incrementAndGet();
            }
        });
    }

    /** Waits until all that was begun has ended; what does not end is an error. */
    void awaitBalance() {
        await("every action of other threads ends", () -> outsideEnded.get() >= outsideBegun.get());
        await("every connection is closed", () -> closed.get() >= opened.get());
        awaitTasks();
        await("every move ends", () -> movesAnswered.get() >= movesAsked.get());
    }

    void awaitTasks() {
        await("every task runs", () -> tasksRun.get() >= tasksAccepted.get());
        await("every timer runs", () -> timersRun.get() >= timersSet.get());
    }

    /** Waits for the condition; an error if it does not come true. */
    void await(String what, BooleanSupplier condition) {
        try {
            Await.until(what, condition);
        } catch (AssertionError late) {
            error(late.getMessage());
        }
    }

    @Override
    public void close() {
        outside.shutdownNow();
    }

    @Override
    public String toString() {
        return connected + " connections, " + opened + " opened, " + closed + " closed, " + refused
                + " refused; " + comparedBytes + " bytes compared, " + (sentBytes.get() - comparedBytes.get())
                + " lost, " + wrongBytes + " doubled or wrong; " + tasksAccepted + " tasks accepted, " + tasksRun
                + " run; " + timersSet + " timers set, " + timersRun + " run; " + moved + " moves; " + thrown
                + " failures on purpose";
    }
}
