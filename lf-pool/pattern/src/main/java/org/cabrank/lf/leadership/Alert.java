package org.cabrank.lf.leadership;

/**
 * Time after a takeover from a leader that was blocked. The standby looks more often during an alert, because slow events rarely come
 * alone. An idle watcher may hint at a leader that is blocked again.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A hint is a leadership word in the phase PROCESSING. The standby deposes by compare-and-set from that very word, so a hint
 *       that comes late costs a look and nothing else.
 *   <li>The alert is extended before the listener is called. So a watcher that announces its rest, and then finds no alert, is woken.
 * </ol>
 */
public final class Alert {
    /** Notified of each extension. Called by the standby, so the listener returns at once and never throws. */
    public interface Listener {
        Listener NONE = () -> {};

        void alertExtended();
    }

    /** No word in the phase PROCESSING. */
    private static final long NO_HINT = 0;

    private final Parking parking;
    private final long lengthNs;

    private volatile Listener listener = Listener.NONE;
    private volatile long untilNs;

    /** Never cleared, because words do not recur. */
    private volatile long hinted = NO_HINT;

    private volatile boolean watched;

    /** @param lengthNs time from a takeover to the end of the alert, in ns */
    public Alert(Parking parking, long lengthNs) {
        this.parking = parking;
        this.lengthNs = lengthNs;
        this.untilNs = parking.nanoTime();
    }

    /** Called once, before the first alert. */
    public void notify(Listener ofExtensions) {
        listener = ofExtensions;
    }

    /** Standby: a leader was blocked. */
    void extend(long nowNs) {
        untilNs = nowNs + lengthNs;
        listener.alertExtended();
    }

    boolean isOn(long nowNs) {
        return nowNs - untilNs < 0;
    }

    /** Any thread. */
    public boolean isOn() {
        return isOn(parking.nanoTime());
    }

    /** Idle watcher: says from now on whether it watches. */
    public void watched(boolean now) {
        watched = now;
    }

    /** Returns true if an idle watcher watches at this moment. */
    boolean isWatched() {
        return watched;
    }

    /** Idle watcher: the leader of {@code word} is blocked. The caller wakes the standby next. */
    public void hint(long word) {
        hinted = word;
    }

    /** Returns true if the leader of {@code word} was seen blocked. {@code word} is in the phase PROCESSING, or the answer is false. */
    boolean isHinted(long word) {
        return hinted == word && word != NO_HINT;
    }
}
