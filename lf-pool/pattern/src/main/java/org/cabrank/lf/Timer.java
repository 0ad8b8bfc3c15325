package org.cabrank.lf;

import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.counting.Counter;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;

/** Calls a handler once or periodically. {@link Timers} makes timers. Any thread may call any method. */
public final class Timer {
    static final long ONCE = 0;

    enum State {
        /** The deadline has not passed, or the call waits for a free thread. */
        WAITING,
        RUNNING,
        ENDED
    }

    private final HandleSet set;
    private final Timers timers;
    private final TimerHandler handler;
    private final long periodNs;
    private final Handle handle;

    /** A thread that runs the timer and a thread that cancels it compete for the change of state. */
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private final Counter runs = new Counter();
    private final Counter missed = new Counter();
    private final Counter failures = new Counter();

    /** Written before the handle is scheduled, and later only by the handle's claim holders. */
    private long dueNs;

    Timer(HandleSet set, Timers timers, TimerHandler handler, long delayNs, long periodNs) {
        this.timers = timers;
        this.set = set;
        this.handler = handler;
        this.periodNs = periodNs;
        dueNs = set.nanoTime() + delayNs;
        handle = set.registerVirtual("timer of " + handler.getClass().getName(), new Source());
    }

    void start() {
        boolean scheduled = false;
        try {
            schedule();
            scheduled = true;
        } finally {
            if (!scheduled) {
                handle.close();
            }
        }
    }

    private void schedule() {
        // The clock may wrap around and reach NO_DEADLINE, which would cancel the timer.
        handle.scheduleTimer(dueNs == Handle.NO_DEADLINE ? dueNs + 1 : dueNs);
    }

    /** Ends the timer. A running handler runs to its end. Returns true if this call has prevented a further run. */
    public boolean cancel() {
        StackRoom.require(); // an overflow below would leave an ended timer registered
        // A periodic timer has no last run. So the call prevents a further run even if the timer runs at the moment.
        boolean prevented = periodNs == ONCE
                ? state.compareAndSet(State.WAITING, State.ENDED)
                : state.getAndSet(State.ENDED) != State.ENDED;
        if (prevented) {
            handle.close();
        }
        return prevented;
    }

    /** Returns true if the timer will run again unless it is cancelled. */
    public boolean isActive() {
        State seen = state.get();
        return seen == State.WAITING || seen == State.RUNNING && periodNs != ONCE;
    }

    public long runs() {
        return runs.valueOpaque();
    }

    /** Number of deadlines without a call of their own. A late call stands for all deadlines that have passed. */
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
                return; // the timer was cancelled, and its handle is about to be closed
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
