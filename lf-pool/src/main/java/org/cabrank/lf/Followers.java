package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that wait for leadership, the last to come first (LIFO: its caches are the warmest), and the hand-over.
 *
 * <p>The lock is held for a few instructions and never while waiting. Invariants, with the lock held:
 *
 * <ol>
 *   <li>The word is vacant only if nobody follows, or the pool stops: who arrives at a vacant word takes it, who gives
 *       leadership away gives it to a follower if there is one.
 *   <li>With a standby wanted, there is one exactly if somebody follows.
 *   <li>A follower that was chosen is named by the word before its {@code promoted} flag is set.
 * </ol>
 */
final class Followers {
    private final LeadershipWord word;
    private final Parking parking;
    private final boolean standbyWanted;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayList<Member> waiting = new ArrayList<>();

    private volatile Member standby;

    /** The standby sleeps without a timer, and wants to be woken by the next event. */
    private volatile boolean standbyAsleep;

    Followers(LeadershipWord word, Parking parking, boolean standbyWanted) {
        this.word = word;
        this.parking = parking;
        this.standbyWanted = standbyWanted;
    }

    /** Takes the vacant leadership (true), or lines up. */
    boolean leadOrFollow(Member me) {
        lock.lock();
        try {
            me.promoted = false;
            if (word.tryLead(me.id)) {
                return true;
            }
            me.following = true;
            waiting.add(me);
            if (standbyWanted && standby == null) {
                me.forgetLooks(parking.nanoTime());
                standby = me;
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the line; false: too late, this member has been promoted and must lead or pass leadership on. */
    boolean leave(Member me) {
        Member next;
        lock.lock();
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
    boolean handOver(int eventsBegun) {
        Member chosen;
        Member nextStandby = null;
        lock.lock();
        try {
            chosen = choose();
            if (chosen != null) {
                nextStandby = remove(chosen);
                word.handOverVolatile(chosen.id, eventsBegun);
                chosen.promoted = true;
            } else {
                word.handOverVolatile(0, eventsBegun);
            }
        } finally {
            lock.unlock();
        }
        wake(chosen);
        wake(nextStandby);
        return chosen != null;
    }

    /** The owner, in the phase PROCESSING since {@code begun}; false: it was deposed before. */
    boolean promoteWhileProcessing(long begun) {
        Member chosen;
        Member nextStandby = null;
        lock.lock();
        try {
            chosen = choose();
            if (!word.promote(begun, chosen == null ? 0 : chosen.id)) {
                return false;
            }
            if (chosen != null) {
                nextStandby = remove(chosen);
                chosen.promoted = true;
            }
        } finally {
            lock.unlock();
        }
        wake(chosen);
        wake(nextStandby);
        return true;
    }

    /** The standby: takes over from the owner that was seen processing; false: it was too late. */
    boolean depose(Member me, long seenWord) {
        Member nextStandby;
        lock.lock();
        try {
            if (me.promoted || !word.depose(seenWord, me.id)) {
                return false;
            }
            nextStandby = remove(me);
        } finally {
            lock.unlock();
        }
        wake(nextStandby);
        return true;
    }

    boolean isStandby(Member me) {
        return standby == me;
    }

    /**
     * The standby: sleeps without a timer as long as the leader stays in the wait in which it was seen. The flag is
     * announced before the word is read again, the leader leaves its wait before it reads the flag: one sees the other.
     */
    void sleepAsStandby(Member me, long idleWord, long waitNs, LeaderFollowersPool pool) {
        standbyAsleep = true;
        if (word.wordVolatile() == idleWord && !me.promoted && !pool.isStopping()) {
            parking.park(this, waitNs);
        }
        standbyAsleep = false;
    }

    /** The leader, after a wait that brought events. */
    void wakeSleepingStandby() {
        if (standbyAsleep) {
            standbyAsleep = false;
            wake(standby);
        }
    }

    /** The pool stops: everybody looks. */
    void wakeAll() {
        List<Member> all;
        lock.lock();
        try {
            all = List.copyOf(waiting);
        } finally {
            lock.unlock();
        }
        all.forEach(this::wake);
    }

    int count() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private Member choose() {
        return waiting.isEmpty() ? null : waiting.get(waiting.size() - 1);
    }

    /** Takes the member out; the answer is a new standby, which is to be woken so that it begins to look. */
    private Member remove(Member member) {
        waiting.remove(waiting.lastIndexOf(member));
        member.following = false;
        if (standby != member) {
            return null;
        }
        Member next = choose();
        if (next != null) {
            next.forgetLooks(parking.nanoTime());
        }
        standby = next;
        return next;
    }

    private void wake(Member member) {
        if (member != null) {
            parking.unpark(member.thread);
        }
    }
}
