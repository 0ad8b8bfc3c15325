package org.cabrank.lf.leadership;

import java.util.Arrays;

/**
 * The memory of a standby: the leadership words at its last look, and the times at which it has seen each of them first. The thread
 * that appoints a standby writes the memory under the followers' lock. The standby writes it at each look, a few times in
 * {@code maxGap}. A follower that replaces the standby copies it, perhaps during a look: so each object has a lock of its own. A word
 * is always copied together with its time.
 */
public final class StandbyView {
    private static final long NOTHING = -1;

    /** Leadership words at the last look, indexed by set. */
    private final long[] seenWords;

    /** Times in ns at which these words were seen first, indexed by set. */
    private final long[] firstSeenNs;

    /** Time of the last look. */
    private long lookedNs;

    /** Number of looks in a row that have found every leader waiting. */
    private int idleLooks;

    /** Number of looks in a row that have found each leader at another event than before. */
    private int busyLooks;

    public StandbyView(int sets) {
        seenWords = new long[sets];
        firstSeenNs = new long[sets];
    }

    /** Called for a standby where there was none, or for one that has slept: each event in progress counts as new. */
    public synchronized void forget(long nowNs) {
        Arrays.fill(seenWords, NOTHING);
        lookedNs = nowNs;
        idleLooks = 0;
        busyLooks = 0;
    }

    /** Copies the memory of {@code predecessor}, the standby that this standby replaces, so that the replacement does not blind a set for another gap. */
    public synchronized void takeOver(StandbyView predecessor) {
        predecessor.copyTo(this);
        idleLooks = 0;
        busyLooks = 0;
    }

    /** Called with the lock of {@code successor}, which is not in use yet; so two locks are never taken crosswise. */
    private synchronized void copyTo(StandbyView successor) {
        System.arraycopy(seenWords, 0, successor.seenWords, 0, seenWords.length);
        System.arraycopy(firstSeenNs, 0, successor.firstSeenNs, 0, firstSeenNs.length);
        successor.lookedNs = lookedNs;
    }

    synchronized long lookedNs() {
        return lookedNs;
    }

    /** A look begins. */
    public synchronized void looked(long nowNs) {
        lookedNs = nowNs;
    }

    synchronized long seen(int set) {
        return seenWords[set];
    }

    /** True: it was the same at the last look. */
    public synchronized boolean sawBefore(int set, long word) {
        boolean same = seenWords[set] == word;
        if (!same) {
            seenWords[set] = word;
            firstSeenNs[set] = lookedNs;
        }
        return same;
    }

    /** Returns the time up to the last look in which the word was seen unchanged; its true age may be larger. */
    public synchronized long seenForNs(int set) {
        return lookedNs - firstSeenNs[set];
    }

    /** Notes if the present look has found each leader at another event than before. */
    synchronized void busy(boolean allBusy) {
        busyLooks = allBusy ? busyLooks + 1 : 0;
    }

    synchronized int busyLooks() {
        return busyLooks;
    }

    /** The number of looks in a row, the present look included, that have found every leader waiting. */
    synchronized int idle(boolean allWaiting) {
        idleLooks = allWaiting ? idleLooks + 1 : 0;
        return idleLooks;
    }
}
