package org.cabrank.iouring;

/**
 * Takes over, for the leader of a shared ring, the multishot requests that other threads have armed. The kernel completes a request
 * in the context of the thread that has armed it, which it wakes for that from whatever it waits for. If that thread shares its
 * processor with the leader it has to wait for its turn, and the connections with it, while the leader is kept busy by those of its
 * own.
 *
 * <p>Under deferred promotion a regular leader comes back after each slow handler. Its requests stay its own: a deputy takes
 * nothing over. The regular leader takes over all that deputies have armed and that was active, at once: it asks for the ends, and
 * lets the other threads run until they have come. What was not active then stays with who has armed it, until it completes.
 *
 * <p>Under eager promotion leadership changes all the time, and where more than {@link #AT_ONCE_MAX} were active one wake-up of
 * the other thread serves many completions. Then a leader takes over what completes, one by one, once it has led for a while.
 *
 * <p>All methods are called by the watcher.
 */
final class RequestTakeover {
    /**
     * Named bound: number of requests that are taken over at once. Each takes 1 to 2 µs, and the leader processes nothing during
     * that time.
     */
    static final int AT_ONCE_MAX = 256;

    /**
     * Named bound: how long a leader waits for the ends of what it takes over, which is how late it may be for anything else. More
     * than the ends of so many take, and less than a handler that is worth promoting a successor.
     */
    static final long WAIT_MAX_NS = 500_000;

    /** Named bound: waits that a leader must have had before it takes over one by one. Under eager promotion nearly nobody has. */
    static final int TENURE_MIN = 4;

    /**
     * Named bound: and one completion for so many descriptors. With thousands of them taking over all costs more than it saves.
     */
    static final int DESCRIPTORS_PER_COMPLETION = 4;

    /** No thread's id. */
    private static final long NOBODY = 0;

    private final RequestTable table;

    /** Armed by deputies, and completed since the regular leader led last, while there is room. */
    private final MultishotRequest<?>[] active = new MultishotRequest<?>[AT_ONCE_MAX];

    private int activeCount;

    /** There was no room for all that were armed. */
    private boolean crowded;

    /** {@link #NOBODY}: each leader is as good as any other. */
    private long regularId = NOBODY;

    /** The leader, for how many waits it has been, and what it has harvested in them. */
    private long leaderId;

    private int tenure;
    private long completions;

    /** Number of requests that the leader has cancelled, and not waited for yet. */
    private int ending;

    RequestTakeover(RequestTable table) {
        this.table = table;
    }

    /** Leader, before its first wait as a regular leader or as a deputy; under eager promotion never called. */
    void turnBegins(boolean regular) {
        lead(Thread.currentThread().getId());
        if (regular) {
            regularId = leaderId;
            takeOverActive();
        }
    }

    private void lead(long threadId) {
        leaderId = threadId;
        tenure = 0;
        completions = 0;
    }

    /** Before each wait. */
    void beginWait() {
        long caller = Thread.currentThread().getId();
        if (caller == leaderId) {
            tenure++;
        } else {
            lead(caller);
        }
    }

    private void takeOverActive() {
        for (int i = 0; i < activeCount; i++) {
            MultishotRequest<?> each = active[i];
            active[i] = null;
            each.unlist();
            if (!crowded && each.takeOver()) {
                ending++;
            }
        }
        activeCount = 0;
        crowded = false;
    }

    /** Returns the number of completions that are worth waiting for, because a takeover has begun; 0: none. Resets the number. */
    int awaited() {
        int answer = ending;
        ending = 0;
        return answer;
    }

    /** Counts completions. Called after each wait. */
    void harvested(int count) {
        completions += count;
    }

    /** Returns true if the request is active now, and was not before. Called for each completion. */
    boolean list(MultishotRequest<?> completed, long armedBy) {
        if (regularId == NOBODY || armedBy == regularId) {
            return false;
        }
        if (activeCount == AT_ONCE_MAX && !crowded) {
            forgetEnded();
            crowded = activeCount == AT_ONCE_MAX;
        }
        if (crowded) {
            return false;
        }
        active[activeCount++] = completed;
        return true;
    }

    /** Connections that have come and gone are no crowd. */
    private void forgetEnded() {
        int kept = 0;
        for (int i = 0; i < activeCount; i++) {
            MultishotRequest<?> each = active[i];
            active[i] = null;
            if (each.isArmed()) {
                active[kept++] = each;
            } else {
                each.unlist();
            }
        }
        activeCount = kept;
    }

    /** Returns true if another thread than the leader has armed it. */
    boolean isOfAnother(long armedBy) {
        return armedBy != leaderId;
    }

    /** Returns true if the leader has led long enough to take over what this thread has armed, when it completes. */
    boolean leadsInsteadOf(long armedBy) {
        boolean leadsForLong = regularId == NOBODY || regularId == leaderId;
        return leadsForLong
                && isOfAnother(armedBy)
                && tenure >= TENURE_MIN
                && completions * DESCRIPTORS_PER_COMPLETION >= table.live();
    }
}
