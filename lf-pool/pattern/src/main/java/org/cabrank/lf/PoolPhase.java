package org.cabrank.lf;

import org.cabrank.lf.leadership.StopCheck;

/** The phase of a pool. A pool never returns to an earlier phase. */
final class PoolPhase implements StopCheck {
    private static final int RUNNING = 0;
    private static final int STOPPING = 1;
    private static final int STOPPING_NOW = 2;

    private volatile int phase = RUNNING;

    /** Called with the lock of {@link PoolEnd}. */
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
