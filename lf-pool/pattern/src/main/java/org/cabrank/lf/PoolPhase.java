package org.cabrank.lf;

import org.cabrank.lf.leadership.StopCheck;

/** The phase of a pool: it runs, stops gracefully, or stops at once; no phase follows an earlier one. Any thread reads it. */
final class PoolPhase implements StopCheck {
    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPING_NOW = 2;

    private volatile int phase = RUNNING;

    /**
     * Begins to stop, unless the pool stops already in this way or at once. Called with the pool's lock.
     *
     * @param now true: what was detected is not processed
     */
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
