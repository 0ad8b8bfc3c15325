package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Checks the leaders of one pool under deferred promotion, and replaces slow leaders. The {@link Watcher} calls it. This class also decides
 * when the next check is due and when no checks are needed.
 *
 * <p>If the Java state of a leader shows that its handler waits, a follower takes over at once. Any other leader is replaced after half of
 * the largest gap. When the watcher has found a blocked leader, it is alert for some time. While it is alert, it asks the kernel at each
 * check if leaders are blocked, and replaces a blocked leader at once. This takes some microseconds and memory. After a takeover the
 * watcher checks again without a pause, because the new leader may be blocked as well. Invariants:
 * <ol>
 *   <li>A takeover is a compare-and-set from the word that the check has read, so a late check does no harm.
 *   <li>While a thread follows, each leader that runs a handler is watched. For this, the watcher announces its rest before it reads the
 *       words and the followers a last time. A thread first leaves its wait, becomes leader or begins to follow, and then checks for a
 *       rest. So at least one of the two sees the write of the other.
 * </ol>
 */
public final class LeaderWatch {
    /** If this many checks in a row find that all leaders wait for events, the watcher rests until an event arrives. */
    public static final int IDLE_LOOKS_MAX = 16;

    private static final int LOOKS_PER_GAP = 2;

    /** Number of checks in each largest gap while the watcher is alert. Slow events rarely come alone. */
    private static final int ALERT_LOOKS_PER_GAP = 16;

    /** Time for which the watcher is alert, as a multiple of the largest gap. */
    private static final int ALERT_GAPS = 64;

    private static final long NOTHING = -1;

    private static final int LOOKS = 0;

    private static final int AWAITS_EVENTS = 1;
    private static final int AWAITS_FOLLOWER = 2;

    private static final VarHandle REST;

    static {
        try {
            REST = MethodHandles.lookup().findVarHandle(LeaderWatch.class, "rest", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Runnable wakeWatcher;
    private final LeadershipWord[] words;
    private final IntFunction<? extends Candidate> byId;
    private final Followers followers;
    private final Parking parking;
    private final long lookNs;
    private final long alertLookNs;
    private final long alertNs;

    private volatile int rest = AWAITS_FOLLOWER;

    /** True if the watcher has rested since its last check. Only the watcher uses this field and the fields below. */
    private boolean rested = true;

    private int restedFor = AWAITS_EVENTS;

    private final long[] seenWords;

    private final long[] firstSeenNs;
    private long nextLookNs;
    private boolean replaced;
    private int idleLooks;
    private boolean alert;
    private long alertSinceNs;

    /** {@code wakeWatcher} is called by a thread that ends the rest. {@code byId} returns the thread with a given number, or null. */
    public LeaderWatch(
            Runnable wakeWatcher,
            LeadershipWord[] words,
            IntFunction<? extends Candidate> byId,
            Followers followers,
            Parking parking,
            long maxGapNs) {
        this.wakeWatcher = wakeWatcher;
        this.words = words;
        this.byId = byId;
        this.followers = followers;
        this.parking = parking;
        this.lookNs = maxGapNs / LOOKS_PER_GAP;
        this.alertLookNs = maxGapNs / ALERT_LOOKS_PER_GAP;
        this.alertNs = maxGapNs * ALERT_GAPS;
        this.seenWords = new long[words.length];
        this.firstSeenNs = new long[words.length];
    }

    public void somebodyLeads() {
        end(AWAITS_EVENTS);
    }

    public void somebodyFollows() {
        end(AWAITS_FOLLOWER);
    }

    private void end(int awaited) {
        if (rest == awaited && REST.compareAndSet(this, awaited, LOOKS)) {
            wakeWatcher.run();
        }
    }

    /** Called by the watcher: checks the leaders if a check is due. Returns the time until the next check in ns. */
    public long check(long nowNs) {
        if (rest != LOOKS) {
            return Deadlines.FOREVER;
        }
        alert &= nowNs - alertSinceNs < alertNs;
        if (rested) {
            rested = false;
            idleLooks = 0;
            nextLookNs = restedFor == AWAITS_FOLLOWER ? nowNs : nowNs + pauseNs();
            Arrays.fill(seenWords, NOTHING);
        }
        long leftNs = nextLookNs - nowNs;
        if (leftNs > 0) {
            return leftNs; // the watcher was woken for another reason
        }
        nextLookNs = nowNs + pauseNs();
        if (followers.count() == 0) {
            return rest(AWAITS_FOLLOWER);
        }
        boolean allWait = true;
        replaced = false;
        for (int set = 0; set < words.length; set++) {
            allWait &= lookAt(set, nowNs);
        }
        idleLooks = allWait ? idleLooks + 1 : 0;
        if (idleLooks == IDLE_LOOKS_MAX) {
            return rest(AWAITS_EVENTS);
        }
        long pauseNs = replaced ? 0 : pauseNs();
        nextLookNs = nowNs + pauseNs;
        return pauseNs;
    }

    private long pauseNs() {
        return alert ? alertLookNs : lookNs;
    }

    /** Replaces the leader of a set if it is blocked or slow. Returns true if the leader has waited for events since the last check. */
    private boolean lookAt(int set, long nowNs) {
        long seen = words[set].wordAcquire();
        boolean same = seen == seenWords[set];
        if (!same) {
            seenWords[set] = seen;
            firstSeenNs[set] = nowNs;
        }
        if (LeadershipWord.phase(seen) != LeadershipWord.PROCESSING) {
            return same && LeadershipWord.phase(seen) == LeadershipWord.DETECTING;
        }
        long seenNs = nowNs - firstSeenNs[set];
        Candidate leader = leader(seen);
        boolean waits = leader != null && parking.isWaiting(leader);
        boolean isLong = seenNs >= lookNs;
        boolean blocked = waits || (alert || isLong) && (leader == null || parking.isBlocked(leader));
        if (blocked || isLong) {
            if (blocked) {
                alert = true;
                alertSinceNs = nowNs;
            }
            replaced |= followers.depose(set, seen, seenNs);
        }
        return false;
    }

    /** Returns null if the leader has left. Its number may already belong to a slot that is reserved for another thread. */
    private Candidate leader(long word) {
        Candidate leader = byId.apply(LeadershipWord.owner(word));
        return leader == null || leader.thread == null ? null : leader;
    }

    private long rest(int awaited) {
        rest = awaited;
        if (awaited == AWAITS_EVENTS ? allAsSeen() : followers.count() == 0) {
            rested = true;
            restedFor = awaited;
            return Deadlines.FOREVER;
        }
        rest = LOOKS;
        return pauseNs();
    }

    private boolean allAsSeen() {
        for (int set = 0; set < words.length; set++) {
            if (words[set].wordVolatile() != seenWords[set]) {
                return false;
            }
        }
        return true;
    }
}
