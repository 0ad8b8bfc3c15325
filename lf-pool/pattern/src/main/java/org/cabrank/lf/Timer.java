package org.cabrank.lf;

import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.counting.Counter;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;

/** A call, or periodic calls, that a handle set's pool makes: see {@link Timers}. Any thread may call every method. */
public final class Timer {
    static final long ONCE = 0;

    enum State {
        /** Waits for the deadline, or for a thread once the deadline has passed. */
        WAITING,
        RUNNING,
        ENDED
    }

    private final HandleSet set;
    private final Timers timers;
    private final TimerHandler handler;
    private final long periodNs;
    private final Handle handle;

    /** The thread that changes the state decides: one that runs the timer, or one that cancels it. */
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private final Counter runs = new Counter();
    private final Counter missed = new Counter();
    private final Counter failures = new Counter();

    /** Written before the handle is scheduled, and by its claim holders. */
    private long dueNs;

    Timer(HandleSet set, Timers timers, TimerHandler handler, long delayNs, long periodNs) {
        this.timers = timers;
        this.set = set;
        this.handler = handler;
        this.periodNs = periodNs;
        dueNs = set.nanoTime() + delayNs;
        handle = set.registerVirtual("timer of " + handler.getClass().getName(), new Source());
    }

    /** Called once. If this throws, the timer was cancelled. */
    void start() {
        boolean scheduled = false;
        try {
            schedule();
            scheduled = true;
        } finally {
            if (!scheduled) {
                cancel();
            }
        }
    }

    private void schedule() {
        // The clock may wrap around, so one of its values in 2^64 is the one that cancels.
        handle.scheduleTimer(dueNs == Handle.NO_DEADLINE ? dueNs + 1 : dueNs);
    }

    /**
     * Ends the timer. A running handler, perhaps the caller, runs to its end. Returns true if this call prevented a further run, even one
     * that is due; false if the timer had ended, or its only run has begun.
     */
    public boolean cancel() {
        // A periodic timer that does not wait runs now, and would wait again.
        boolean prevented = periodNs == ONCE
                ? state.compareAndSet(State.WAITING, State.ENDED)
                : state.getAndSet(State.ENDED) != State.ENDED;
        if (prevented) {
            handle.close();
        }
        return prevented;
    }

    /** Returns true if the timer will run (again), as far as known. */
    public boolean isActive() {
        State seen = state.get();
        return seen == State.WAITING || seen == State.RUNNING && periodNs != ONCE;
    }

    public long runs() {
        return runs.valueOpaque();
    }

    /** Deadlines of a periodic timer that passed while it could not run; one late run stood for all. */
    public long missed() {
        return missed.valueOpaque();
    }

    public long failures() {
        return failures.valueOpaque();
    }

    @Override
    public String toString() {
        return handle.toString();
    }

    private final class Source implements EventHandler {
        @Override
        public void handleEvent(Handle self, int ready) {
            if ((ready & Ready.TIMER) == 0 || !state.compareAndSet(State.WAITING, State.RUNNING)) {
                return; // cancelled; the handle is about to be closed
            }
            if (periodNs == ONCE) {
                run();
                state.set(State.ENDED);
                self.close();
                return;
            }
            long lateNs = set.nanoTime() - dueNs;
            if (lateNs >= periodNs) {
                missed.add(lateNs / periodNs);
                dueNs += lateNs / periodNs * periodNs;
            }
            run();
            dueNs += periodNs;
            if (state.compareAndSet(State.RUNNING, State.WAITING)) {
                schedule();
            }
        }

        private void run() {
            runs.add(1);
            try {
                handler.timerExpired(Timer.this);
            } catch (Throwable failure) {
                failures.add(1);
                timers.callbackFailures().note("%s failed", Timer.this, Timer.this, failure);
            }
        }

        @Override
        public void handleClosed(Handle closed, Throwable cause) {
            state.set(State.ENDED);
            timers.left();
        }
    }
}
