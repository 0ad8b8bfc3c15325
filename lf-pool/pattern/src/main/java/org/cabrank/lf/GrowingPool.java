package org.cabrank.lf;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.counting.Counter;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Watcher;

/**
 * The size of a pool that grows. The {@link Watcher} looks at it whenever nobody follows.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>When nobody follows, a thread is added, unless one is on its way, as many former leaders compute as the pool may use
 *       processors, or a bound is reached (places of the pool, added threads of the reactor, a thread refused less than a second ago).
 *       The present leader is not counted: it may block next, and nobody would take over from it.
 *   <li>While former leaders that compute keep the pool from growing, the watcher looks again, at most {@link #LOOK_MAX_NS}
 *       later. So a pool is left without a follower no longer than that after they have begun to block. On one CPU one handler
 *       that computes is taken over from by the second of two threads, and the pool stays at two.
 *   <li>A thread ends only as a follower that was chosen under the followers' lock, while another one follows.
 *   <li>Places of the pool are kept for added threads: an added thread never waits for a guest to leave.
 * </ol>
 */
final class GrowingPool {
    /** Named bound: pause before the watcher looks again where handlers compute; the first is a sixteenth as long. */
    static final long LOOK_MAX_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LOOK_MIN_NS = LOOK_MAX_NS / 16;

    /** The longest pause before the watcher looks again if a thread is on its way: its start may take long. */
    private static final long COMING_LOOK_MAX_NS = TimeUnit.MILLISECONDS.toNanos(100);

    static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final Watcher watcher;
    private final Growth growth;
    private final LeaderFollowersPool pool;
    private final Members members;
    private final PoolLeadership leadership;
    private final Followers followers;
    private final PoolThreads threads;
    private final Parking parking;
    private final int processors;

    final Counter addedCount = new Counter();
    final Counter endedCount = new Counter();
    final Counter refusedCount = new Counter();

    /** The watcher is about to look at this pool, so nobody needs to wake it. */
    private volatile boolean requested = true;

    /** The last request was followed by a look that has changed nothing. */
    private boolean inVain;

    /** Until the next look, requests do not wake the watcher. */
    private boolean unheard;

    private long nextLookNs;
    private long lookNs = LOOK_MIN_NS;

    /** The threads that are on their way: initial ones, or the one that was added last. */
    private final List<PoolThreads.Runner> coming = new ArrayList<>();

    private boolean refused;
    private long refusedNs;

    /** The pool is above its initial size since {@link #countedFromNs}, or that minute is not over. */
    private boolean counting;

    private long countedFromNs;
    private volatile boolean over;

    GrowingPool(
            Watcher watcher,
            Growth growth,
            LeaderFollowersPool pool,
            Members members,
            PoolLeadership leadership,
            PoolThreads threads,
            Parking parking,
            int processors) {
        this.watcher = watcher;
        this.growth = growth;
        this.pool = pool;
        this.members = members;
        this.leadership = leadership;
        this.followers = leadership.followers();
        this.threads = threads;
        this.parking = parking;
        this.processors = processors;
    }

    void startInitial() {
        coming.addAll(threads.start());
        growth.add(this);
    }

    /** Any thread, without a lock: nobody follows, or a bound may not be reached any more. */
    void requestLook() {
        if (!requested) {
            requested = true;
            watcher.wake();
        }
    }

    int added() {
        return Math.max(0, threads.count() - pool.config().initialThreads());
    }

    boolean isOver() {
        return over;
    }

    /** Watcher: adds or ends threads if needed, and returns the time to the next look in ns. */
    long check(long nowNs) {
        boolean wanted = requested && !unheard;
        boolean stops = pool.isStopping();
        long leftNs = nextLookNs == Deadlines.FOREVER ? nextLookNs : nextLookNs - nowNs;
        if (!wanted && !stops && leftNs > 0) {
            return leftNs;
        }
        unheard = false;
        requested = false; // before the look: what changes from now on is requested again
        lookForThreadsOnTheirWay(nowNs);
        over = stops && coming.isEmpty();
        long restNs = Deadlines.FOREVER;
        if (!coming.isEmpty()) {
            restNs = pauseNs(COMING_LOOK_MAX_NS);
        } else if (!stops) {
            restNs = Math.min(followers.count() == 0 ? grow(nowNs) : rest(wanted), shrink(nowNs));
        }
        if (unheard) {
            requested = true; // only then: a request that has come since the look must stay
        }
        nextLookNs = restNs == Deadlines.FOREVER ? restNs : nowNs + restNs;
        return restNs;
    }

    private void lookForThreadsOnTheirWay(long nowNs) {
        for (Iterator<PoolThreads.Runner> all = coming.iterator(); all.hasNext(); ) {
            PoolThreads.Runner runner = all.next();
            if (!threads.isComing(runner)) {
                all.remove();
                if (runner.refusal() != null) {
                    refuse(runner.refusal(), nowNs);
                }
            }
        }
    }

    /** Somebody follows. Where that is so each time at the look, followers come and go with each event. */
    private long rest(boolean wanted) {
        lookNs = LOOK_MIN_NS;
        unheard = wanted && inVain;
        inVain = wanted;
        return unheard ? LOOK_MAX_NS : Deadlines.FOREVER;
    }

    private void refuse(Throwable cause, long nowNs) {
        refusedNs = nowNs;
        refusedCount.add(1);
        pool.handleSets()
                .get(0)
                .failures()
                .logKind(
                        "growth",
                        () -> "a thread could not be added to " + pool + ", which goes on with " + threads.count()
                                + "; tried again after " + RETRY_NS / 1_000_000_000 + " s",
                        cause);
        refused = true;
    }

    private long grow(long nowNs) {
        if (refused && nowNs - refusedNs < RETRY_NS) {
            return RETRY_NS - (nowNs - refusedNs);
        }
        if (!growth.hasRoom() || !members.hasFreeSlot()) {
            return Deadlines.FOREVER;
        }
        if (computing() >= processors) {
            unheard = true;
            return pauseNs(LOOK_MAX_NS);
        }
        lookNs = LOOK_MIN_NS;
        inVain = false;
        PoolThreads.Runner added;
        try {
            added = threads.add();
        } catch (Throwable refusal) {
            refuse(refusal, nowNs);
            return RETRY_NS;
        }
        if (added == null) {
            return Deadlines.FOREVER;
        }
        coming.add(added);
        addedCount.add(1);
        return pauseNs(COMING_LOOK_MAX_NS);
    }

    /** Pause before the next look, twice as long as the last, and at most {@code maxNs}. */
    private long pauseNs(long maxNs) {
        long restNs = Math.min(lookNs, maxNs);
        lookNs = 2 * restNs;
        return restNs;
    }

    /** Number of threads that lead no set, and whose handlers are running or runnable. */
    private int computing() {
        int computing = 0;
        for (Member member : members.present()) {
            if (member.isProcessingOpaque() && !leadership.leads(member) && !parking.isBlocked(member)) {
                computing++;
            }
        }
        return computing;
    }

    /** Ends what was not needed for a minute; returns the time to the next such look. */
    private long shrink(long nowNs) {
        int above = added();
        if (above == 0 || !coming.isEmpty()) {
            counting &= above > 0; // a thread that has just been added has not followed for a minute
            return Deadlines.FOREVER;
        }
        if (!counting) {
            counting = true;
            countedFromNs = nowNs;
            followers.takeFewest();
        } else if (nowNs - countedFromNs >= growth.unusedNs) {
            countedFromNs = nowNs;
            int unused = Math.min(above, followers.takeFewest() - 1);
            for (int i = 0; i < unused && followers.dismiss(member -> mayEnd((Member) member)); i++) {
                endedCount.add(1);
            }
        }
        return countedFromNs + growth.unusedNs - nowNs;
    }

    private boolean mayEnd(Member member) {
        return member.ofPool && member.awaited == null && !leadership.isRegularLeader(member);
    }
}
