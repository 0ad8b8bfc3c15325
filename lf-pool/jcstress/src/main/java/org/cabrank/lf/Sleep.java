package org.cabrank.lf;

/** A sleep that only the other side of a race can end. If the other side finishes while the thread sleeps, the wake-up was lost. */
public final class Sleep {
    private volatile boolean woken;
    private volatile boolean otherSideIsDone;

    /** Not volatile, because only an arbiter or the thread that slept reads it. */
    public boolean lost;

    public void sleep() {
        while (!woken) {
            if (otherSideIsDone) {
                lost |= !woken;
                return;
            }
            Thread.onSpinWait();
        }
    }

    public void wake() {
        woken = true;
    }

    public void otherSideIsDone() {
        otherSideIsDone = true;
    }
}
