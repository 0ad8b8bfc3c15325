package org.cabrank.lf;

import java.util.Arrays;

/** What a standby has seen of the leaders so far. Touched by the standby, and by who names it under the followers' lock. */
final class Looks {
    private static final long NOTHING = -1;

    /** By set: the word at the last look. */
    private final long[] seenWords;

    /** By set: when that word was seen first. */
    private final long[] firstSeenNs;

    /** When the last look was. */
    private long lookedNs;

    /** How many looks in a row have found every leader waiting. */
    private int idleLooks;

    Looks(int sets) {
        seenWords = new long[sets];
        firstSeenNs = new long[sets];
    }

    /** A standby where there was none, or one that has slept: whatever is in progress now counts as new. */
    void forget(long nowNs) {
        Arrays.fill(seenWords, NOTHING);
        lookedNs = nowNs;
        idleLooks = 0;
    }

    /** A standby in place of another goes on where that one was: it must not blind the other sets for another gap. */
    void takeOver(Looks predecessor) {
        System.arraycopy(predecessor.seenWords, 0, seenWords, 0, seenWords.length);
        System.arraycopy(predecessor.firstSeenNs, 0, firstSeenNs, 0, firstSeenNs.length);
        lookedNs = predecessor.lookedNs;
        idleLooks = 0;
    }

    long lookedNs() {
        return lookedNs;
    }

    /** A look begins. */
    void looked(long nowNs) {
        lookedNs = nowNs;
    }

    long seen(int set) {
        return seenWords[set];
    }

    /** True: it was the same at the last look. */
    boolean sawBefore(int set, long word) {
        boolean same = seenWords[set] == word;
        if (!same) {
            seenWords[set] = word;
            firstSeenNs[set] = lookedNs;
        }
        return same;
    }

    /** For how long, up to the last look, the word has been the same; it may have been for longer, unseen. */
    long seenForNs(int set) {
        return lookedNs - firstSeenNs[set];
    }

    /** The number of looks in a row, this one included, that have found every leader waiting. */
    int idle(boolean allWaiting) {
        idleLooks = allWaiting ? idleLooks + 1 : 0;
        return idleLooks;
    }
}
