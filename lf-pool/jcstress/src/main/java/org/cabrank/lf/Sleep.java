package org.cabrank.lf;

/** A sleep from which only the other side of a race can wake: whoever is still asleep when that side has done was not woken. */
final class Sleep {
    private volatile boolean woken;
    private volatile boolean otherSideIsDone;

    /** Plain: read by an arbiter, or by the thread that slept. */
    boolean lost;

    void sleep() {
        while (!woken) {
            if (otherSideIsDone) {
                lost |= !woken;
                return;
            }
            Thread.onSpinWait();
        }
    }

    void wake() {
        woken = true;
    }

    void otherSideIsDone() {
        otherSideIsDone = true;
    }
}
