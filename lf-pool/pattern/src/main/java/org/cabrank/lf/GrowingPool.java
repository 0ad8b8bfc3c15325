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
 * Adds and ends the threads of a pool that grows. The {@link Watcher} calls it. Invariants:
 * <ol>
 *   <li>If no thread follows, a thread is added, unless another added thread still starts, a thread was refused in the last second, no slot
 *       is free, or the reactor has its maximum of added threads.
 *   <li>If as many former leaders compute as the pool has processors, no thread is added. The present leader is not counted, because no
 *       thread would take over if it blocked. The watcher checks again after at most {@link #LOOK_MAX_NS}, because a computing thread may
 *       block.
 *   <li>A thread is ended only while at least two threads follow. It is chosen under the followers' lock.
 *   <li>Each added thread has a reserved slot, so it never waits for a guest to leave.
 * </ol>
 */
final class GrowingPool {
    static final long LOOK_MAX_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long LOOK_MIN_NS = LOOK_MAX_NS / 16;

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

    /** True if the watcher will check this pool soon, so no thread needs to wake the watcher. */
    private volatile boolean requested = true;

    /** True if the check after the last request changed nothing. */
    private boolean inVain;

    /** True if a new request waits for the watcher's next check and does not wake the watcher. */
    private boolean unheard;

    private long nextLookNs;
    private long lookNs = LOOK_MIN_NS;

    private final List<PoolThreads.Runner> coming = new ArrayList<>();

    private boolean refused;
    private long refusedNs;

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

    long check(long nowNs) {
        boolean wanted = requested && !unheard;
        boolean stops = pool.isStopping();
        long leftNs = nextLookNs == Deadlines.FOREVER ? nextLookNs : nextLookNs - nowNs;
        if (!wanted && !stops && leftNs > 0) {
            return leftNs;
        }
        unheard = false;
        requested = false; // cleared before the check, so that a later change requests another check
        lookForThreadsOnTheirWay(nowNs);
        over = stops && coming.isEmpty();
        long restNs = Deadlines.FOREVER;
        if (!coming.isEmpty()) {
            restNs = pauseNs(COMING_LOOK_MAX_NS);
        } else if (!stops) {
            restNs = Math.min(followers.count() == 0 ? grow(nowNs) : rest(wanted), shrink(nowNs));
        }
        if (unheard) {
            requested = true; // never set to false here: a request that arrived during the check must stay
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

    /** Called if a thread follows, so the pool need not grow. After two such requested checks, further requests wait for the next check. */
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
                        () -> "a thread could not be added to " + pool + ", which continues with " + threads.count()
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

    private long pauseNs(long maxNs) {
        long restNs = Math.min(lookNs, maxNs);
        lookNs = 2 * restNs;
        return restNs;
    }

    /** Number of threads that lead no set and are running or runnable inside a handler. */
    private int computing() {
        int computing = 0;
        for (Member member : members.present()) {
            if (member.isProcessingOpaque() && !leadership.leads(member) && !parking.isBlocked(member)) {
                computing++;
            }
        }
        return computing;
    }

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
