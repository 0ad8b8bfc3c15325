package org.cabrank.lf;

import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.failure.FailureLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that wait for leadership of one or of several handle sets, in a promotion order, and the hand-over.
 *
 * <p>The lock is held for a few instructions and never while waiting. Invariants, with the lock held:
 *
 * <ol>
 *   <li>A word is vacant only if nobody follows, or the pool stops: who arrives at a vacant word takes it, who gives
 *       leadership away gives it to a follower if there is one.
 *   <li>With a standby wanted, there is one exactly if somebody follows.
 *   <li>A follower that was chosen is named by the word before its {@code promoted} flag is set.
 * </ol>
 *
 * <p>Nothing that can throw stands between the first and the last change of a hand-over: the clock, the counters, the wake-up
 * and the listener come before or after the changes, and each of them is guarded. So an error leaves leadership with the member
 * that had it, or with its successor, which is then woken in any case.
 */
final class Followers {
    private final LeadershipWord[] words;
    private final Parking parking;
    private final boolean standbyWanted;
    private final Line line;
    private final Vacancies vacancies;
    /** Named bound: attempts to wake a thread. */
    private static final int WAKE_ATTEMPTS_MAX = 8;

    /** Named bound: attempts to get the lock without memory for a place in its queue, before giving up the processor. */
    private static final int SPINS_MAX = 64;

    private final LeadershipListener listener;
    private final FailureLog failures;
    private final LeadershipCounts counts = new LeadershipCounts();
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Member standby;

    /** The standby that sleeps without a timer, and wants to be woken by the next event; null: none does. */
    private final AtomicReference<Member> sleepingStandby = new AtomicReference<>();

    Followers(LeadershipWord[] words, Line line, Parking parking, boolean standbyWanted) {
        this(words, line, parking, standbyWanted, LeadershipListener.NONE, new FailureLog(Followers.class));
    }

    Followers(
            LeadershipWord[] words,
            Line line,
            Parking parking,
            boolean standbyWanted,
            LeadershipListener listener,
            FailureLog failures) {
        this.listener = listener;
        this.failures = failures;
        this.words = words;
        this.line = line;
        this.parking = parking;
        this.standbyWanted = standbyWanted;
        this.vacancies = new Vacancies(words.length);
    }

    /** Takes a vacant leadership (true), or lines up. */
    boolean leadOrFollow(Member me) {
        lock();
        try {
            me.promoted = false;
            if (takeVacant(me)) {
                return true;
            }
            long nowNs = standbyWanted && standby == null ? parking.nanoTime() : 0; // before anything is changed
            line.add(me);
            me.following = true;
            if (standbyWanted && (standby == null || line.overtakesStandby(me))) {
                if (standby == null) {
                    me.looks.forget(nowNs);
                } else {
                    me.looks.takeOver(standby.looks);
                }
                standby = me;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void lock() {
        if (lock.tryLock()) {
            return;
        }
        counts.add(counts.lockWaits, 1);
        try {
            lock.lock();
        } catch (
                OutOfMemoryError
                        noQueue) { // before JDK 21 a thread that waits for a lock allocates its place in the queue
            for (int spins = 1; !lock.tryLock(); spins++) {
                if (spins % SPINS_MAX == 0) {
                    Thread.yield();
                } else {
                    Thread.onSpinWait();
                }
            }
        }
    }

    LeadershipCounts counts() {
        return counts;
    }

    /** Takes a vacant leadership (true), if there is one. */
    boolean leadVacant(Member me) {
        lock();
        try {
            return takeVacant(me);
        } finally {
            lock.unlock();
        }
    }

    private boolean takeVacant(Member me) {
        int vacant = vacancies.take();
        if (vacant < 0) {
            return false;
        }
        if (!words[vacant].tryLead(me.id)) {
            throw new AssertionError("noted as vacant, but " + words[vacant]);
        }
        me.leads = vacant;
        return true;
    }

    /** Leaves the line; false: too late, this member has been promoted and must lead or pass leadership on. */
    boolean leave(Member me) {
        Member next;
        lock();
        try {
            if (me.promoted) {
                return false;
            }
            next = remove(me);
        } finally {
            lock.unlock();
        }
        wake(next);
        return true;
    }

    /** The owner, in the phase LEADING: gives leadership to the follower whose turn it is, or leaves it vacant. */
    boolean handOver(int set, int eventsBegun) {
        int owner = LeadershipWord.owner(words[set].wordAcquire());
        long nowNs = nowNs();
        Member chosen;
        Member nextStandby = null;
        lock();
        try {
            chosen = line.first();
            if (chosen != null) {
                nextStandby = promote(chosen, set, eventsBegun, nowNs);
            } else {
                words[set].handOverVolatile(0, eventsBegun);
                vacancies.add(set);
            }
        } finally {
            lock.unlock();
        }
        wake(chosen);
        wake(nextStandby);
        try {
            listener.handedOver(set, owner, eventsBegun, chosen);
        } catch (Throwable failure) { // the caller holds the claim of a handle
            logListener(failure);
        }
        return chosen != null;
    }

    /** The owner, in the phase LEADING: gives leadership to this member; false: it does not follow any more. */
    boolean handBack(int set, Member regular) {
        int owner = LeadershipWord.owner(words[set].wordAcquire());
        long nowNs = nowNs();
        Member nextStandby;
        lock();
        try {
            if (!regular.following) {
                return false;
            }
            nextStandby = promote(regular, set, 0, nowNs);
        } finally {
            lock.unlock();
        }
        wake(regular);
        wake(nextStandby);
        try {
            listener.handedBack(set, owner, regular);
        } catch (Throwable failure) {
            logListener(failure);
        }
        return true;
    }

    /** With the lock, for the owner: names the follower in the word. The answer is a new standby. */
    private Member promote(Member follower, int set, int eventsBegun, long nowNs) {
        Member nextStandby = remove(follower);
        words[set].handOverVolatile(follower.id, eventsBegun);
        follower.leads = set;
        follower.promotedNs = nowNs;
        follower.promoted = true;
        return nextStandby;
    }

    /** The owner, in the phase PROCESSING since {@code begun}; false: it was deposed before. */
    boolean promoteWhileProcessing(int set, long begun) {
        StackRoom.require();
        long nowNs = nowNs();
        Member chosen;
        Member nextStandby = null;
        lock();
        try {
            chosen = line.first();
            if (!words[set].promote(begun, chosen == null ? 0 : chosen.id)) {
                return false;
            }
            if (chosen != null) {
                nextStandby = remove(chosen);
                chosen.leads = set;
                chosen.promotedNs = nowNs;
                chosen.promoted = true;
            } else {
                vacancies.add(set);
            }
        } finally {
            lock.unlock();
        }
        wake(chosen);
        wake(nextStandby);
        try {
            listener.promotedByHandler(set, LeadershipWord.owner(begun), chosen);
        } catch (Throwable failure) {
            logListener(failure);
        }
        return true;
    }

    /** The standby: takes over from the owner that was seen processing; false: it was too late. */
    boolean depose(Member me, int set, long seenWord) {
        Member nextStandby;
        lock();
        try {
            if (me.promoted) {
                return false;
            }
            if (!words[set].depose(seenWord, me.id)) {
                counts.add(counts.failedTakeovers, 1);
                return false;
            }
            nextStandby = remove(me);
            me.leads = set;
        } finally {
            lock.unlock();
        }
        wake(nextStandby);
        try {
            listener.deposed(set, LeadershipWord.owner(seenWord), me, me.looks.seenForNs(set));
        } catch (Throwable failure) {
            logListener(failure);
        }
        return true;
    }

    private void logListener(Throwable failure) {
        failures.log("recording a change of leadership failed", failure);
    }

    /** The clock, for the counters only; 0 if the clock fails. */
    private long nowNs() {
        try {
            return parking.nanoTime();
        } catch (Throwable failure) { // of a hand-over: leadership is more than a measurement
            failures.log("the clock failed", failure);
            return 0;
        }
    }

    boolean isStandby(Member me) {
        return standby == me;
    }

    /**
     * The standby: sleeps without a timer as long as every leader stays in the wait in which it was seen. The sleeper is
     * announced before the words are read again, a leader leaves its wait before it looks for a sleeper: one sees the
     * other. A standby that was overtaken does not announce itself, because the announcement of the one that stands by now
     * would be lost; this is decided under the lock.
     */
    void sleepAsStandby(Member me, long waitNs, LeaderFollowersPool pool) {
        lock();
        try {
            if (standby != me) {
                return;
            }
            sleepingStandby.set(me);
        } finally {
            lock.unlock();
        }
        try {
            if (allAsSeen(me) && !me.promoted && !pool.isStopping()) {
                parking.park(this, waitNs);
            }
        } finally {
            sleepingStandby.compareAndSet(me, null); // unless another standby has gone to sleep since
        }
    }

    private boolean allAsSeen(Member me) {
        for (int set = 0; set < words.length; set++) {
            if (words[set].wordVolatile() != me.looks.seen(set)) {
                return false;
            }
        }
        return true;
    }

    /** A leader, after a wait that brought events. */
    void wakeSleepingStandby() {
        Member sleeper = sleepingStandby.get();
        if (sleeper != null && sleepingStandby.compareAndSet(sleeper, null)) {
            wake(sleeper);
        }
    }

    /** The pool stops: everybody looks. */
    void wakeAll() {
        List<Member> all;
        lock();
        try {
            all = line.all();
        } finally {
            lock.unlock();
        }
        for (Member follower : all) {
            wake(follower);
        }
    }

    int count() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the member out; the answer is a new standby, which is to be woken so that it begins to look. */
    private Member remove(Member member) {
        line.remove(member);
        member.following = false;
        if (standby != member) {
            return null;
        }
        Member next = line.first();
        if (next != null) {
            next.looks.takeOver(member.looks);
        }
        standby = next;
        return next;
    }

    /** Tried again if it fails, because a successor that sleeps on leads nobody; never throws. */
    void wake(Member member) {
        if (member == null) {
            return;
        }
        Throwable broken = null;
        for (int attempt = 1; attempt <= WAKE_ATTEMPTS_MAX; attempt++) {
            try {
                parking.unpark(member.thread);
                counts.add(counts.wakeups, 1);
                return;
            } catch (Throwable again) {
                broken = again;
            }
        }
        failures.log("%s could not be woken", member, broken);
    }
}
