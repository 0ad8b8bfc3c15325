package org.cabrank.lf;

/** A sleep from which only the other side of a race can wake. A thread still asleep when the other side has finished was not woken. */
public final class Sleep {
    private volatile boolean woken;
    private volatile boolean otherSideIsDone;

    /** Plain, because only an arbiter or the thread that slept reads it. */
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
