package org.cabrank.lf;

/** A sleep from which only the other side of a race can wake: whoever is still asleep when that side has done was not woken. */
public final class Sleep {
    private volatile boolean woken;
    private volatile boolean otherSideIsDone;

    /** Plain: read by an arbiter, or by the thread that slept. */
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
