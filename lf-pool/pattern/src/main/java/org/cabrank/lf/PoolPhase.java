package org.cabrank.lf;

import org.cabrank.lf.leadership.StopCheck;

/** The phase of a pool: runs, stops gracefully, or stops at once; never an earlier one again. Any thread reads it. */
final class PoolPhase implements StopCheck {
    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPING_NOW = 2;

    private volatile int phase = RUNNING;

    /** Begins to stop, at once if {@code now}; never goes back to an earlier phase. Called with the pool's lock. */
    void stop(boolean now) {
        phase = Math.max(phase, now ? STOPPING_NOW : STOPPING);
    }

    @Override
    public boolean isStopping() {
        return phase != RUNNING;
    }

    @Override
    public boolean isStoppingNow() {
        return phase == STOPPING_NOW;
    }
}
