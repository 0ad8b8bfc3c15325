package org.cabrank.lf;

import org.cabrank.lf.leadership.StopCheck;

/** The phase of a pool: runs, stops gracefully, stops at once. A pool never returns to an earlier phase. Any thread reads the phase. */
final class PoolPhase implements StopCheck {
    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPING_NOW = 2;

    private volatile int phase = RUNNING;

    /** Begins to stop, at once if {@code now}. Without effect if the phase is later already. Called with the pool's lock. */
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
