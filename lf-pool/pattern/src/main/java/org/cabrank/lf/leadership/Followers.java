package org.cabrank.lf.leadership;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.cabrank.lf.failure.StackRoom;

/**
 * The threads that wait for leadership of one or several handle sets, in a promotion order. This class also hands leadership over. Its lock
 * is held only for a few instructions, and never during a wait. Invariants, with the lock held:
 * <ol>
 *   <li>A word is vacant only if no thread follows or the pool stops. A thread that arrives takes a vacant word, and a thread that gives
 *       leadership away gives it to a follower if there is one.
 *   <li>The word names a chosen follower before its {@code promoted} flag is set.
 * </ol>
 * <p>Calls that may throw are made before the first or after the last change of a hand-over. So the clock is read before all changes, and
 * the successor is woken after them. If a change itself throws, for instance for lack of memory, the pool fails.
 */
public final class Followers {
    private final LeadershipWord[] words;
    private final Parking parking;
    private final FollowerQueue queue;
    private final Vacancies vacancies;
    private final LeadershipListener listener;
    private final LeadershipCounts counts = new LeadershipCounts();
    private final ReentrantLock lock = new ReentrantLock();

    /** Called when the last follower has left. Never throws. */
    private Runnable nobodyFollows = () -> {};

    /** Called by each thread that begins to follow. It is not enough if the first one calls it, because an error may prevent that call. */
    private Consumer<? super Candidate> somebodyFollows = me -> {};

    /** Smallest number of followers since {@link #takeFewest}. Guarded by the lock. */
    private int fewest;

    public Followers(LeadershipWord[] words, FollowerQueue queue, Parking parking) {
        this(words, queue, parking, LeadershipListener.NONE);
    }

    public Followers(LeadershipWord[] words, FollowerQueue queue, Parking parking, LeadershipListener listener) {
        this.listener = listener;
        this.words = words;
        this.queue = queue;
        this.parking = parking;
        this.vacancies = new Vacancies(words.length);
    }

    /** Called before any thread takes part. The listener runs without a lock when no follower is left. It must be short and never throw. */
    public void whenNoFollowerIsLeft(Runnable listener) {
        nobodyFollows = listener;
    }

    /** Called before any thread takes part. The listener runs without a lock on each thread that begins to follow. It must be short. */
    public void whenSomebodyFollows(Consumer<? super Candidate> listener) {
        somebodyFollows = listener;
    }

    /** Takes leadership of a set without a leader and returns true. If each set has a leader, begins to follow and returns false. */
    public boolean leadOrFollow(Candidate me) {
        lock();
        try {
            me.promoted = false;
            me.arrived = true;
            if (takeVacant(me)) {
                return true;
            }
            queue.add(me);
            me.following = true;
        } finally {
            lock.unlock();
        }
        somebodyFollows.accept(me);
        return false;
    }

    private void lock() {
        if (lock.tryLock()) {
            return;
        }
        counts.lockWaits.increment();
        lock.lock();
    }

    public LeadershipCounts counts() {
        return counts;
    }

    public boolean leadVacant(Candidate me) {
        lock();
        try {
            return takeVacant(me);
        } finally {
            lock.unlock();
        }
    }

    private boolean takeVacant(Candidate me) {
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

    /** Takes {@code me} out of the queue. Returns false if {@code me} was promoted before and so must lead or hand over. */
    public boolean leave(Candidate me) {
        boolean last;
        lock();
        try {
            if (me.promoted) {
                return false;
            }
            if (!me.following) {
                return true;
            }
            remove(me);
            last = queue.size() == 0;
        } finally {
            lock.unlock();
        }
        noteIf(last);
        return true;
    }

    public void giveUp(Candidate me) {
        leave(me); // takes the lock, because a promotion may be under way
        for (int set = 0; set < words.length; set++) {
            long seen = words[set].wordAcquire();
            if (LeadershipWord.owner(seen) == me.id
                    && (LeadershipWord.phase(seen) != LeadershipWord.PROCESSING || words[set].endProcessing(seen))) {
                handOver(set, 0);
            }
        }
    }

    /** Gives leadership to the next follower, or leaves the set vacant and returns false. Called by the owner in the phase LEADING. */
    public boolean handOver(int set, int eventsBegun) {
        int owner = LeadershipWord.owner(words[set].wordAcquire());
        long nowNs = parking.nanoTime();
        Candidate chosen;
        boolean last;
        lock();
        try {
            chosen = queue.first();
            if (chosen != null) {
                words[set].handOverVolatile(chosen.id, eventsBegun);
                promoted(chosen, set, nowNs);
            } else {
                words[set].handOverVolatile(0, eventsBegun);
                vacancies.add(set);
            }
            last = queue.size() == 0;
        } finally {
            lock.unlock();
        }
        wake(chosen);
        noteIf(last);
        listener.handedOver(set, owner, eventsBegun, chosen);
        return chosen != null;
    }

    /** Gives leadership to {@code regular}. Returns false if it no longer follows. Called by the owner in the phase LEADING. */
    boolean handBack(int set, Candidate regular) {
        int owner = LeadershipWord.owner(words[set].wordAcquire());
        long nowNs = parking.nanoTime();
        lock();
        try {
            if (!regular.following) {
                return false;
            }
            words[set].handOverVolatile(regular.id, 0);
            promoted(regular, set, nowNs);
        } finally {
            lock.unlock();
        }
        wake(regular);
        listener.handedBack(set, owner, regular);
        return true;
    }

    /** Called with the lock held, after the word was set to the follower. */
    private void promoted(Candidate follower, int set, long nowNs) {
        remove(follower);
        follower.leads = set;
        follower.promotedNs = nowNs;
        follower.promoted = true;
    }

    /** Gives leadership to the next follower, or to nobody. Returns false if the owner, which processes {@code begun}, was deposed. */
    public boolean promoteWhileProcessing(int set, long begun) {
        StackRoom.require();
        long nowNs = parking.nanoTime();
        Candidate chosen;
        boolean last;
        lock();
        try {
            chosen = queue.first();
            if (!words[set].promote(begun, chosen == null ? 0 : chosen.id)) {
                return false;
            }
            if (chosen != null) {
                promoted(chosen, set, nowNs);
            } else {
                vacancies.add(set);
            }
            last = queue.size() == 0;
        } finally {
            lock.unlock();
        }
        wake(chosen);
        noteIf(last);
        listener.promotedByHandler(set, LeadershipWord.owner(begun), chosen);
        return true;
    }

    /**
     * Called by the watcher. {@code seenNs} is the time in ns since the watcher first saw {@code seenWord}. If the owner still processes
     * the event of {@code seenWord} and a follower is queued, promotes a follower and returns true.
     */
    public boolean depose(int set, long seenWord, long seenNs) {
        long nowNs = parking.nanoTime();
        Candidate chosen;
        boolean last;
        lock();
        try {
            chosen = queue.first();
            if (chosen == null) {
                return false;
            }
            if (!words[set].depose(seenWord, chosen.id)) {
                counts.failedTakeovers.increment();
                return false;
            }
            promoted(chosen, set, nowNs);
            last = queue.size() == 0;
        } finally {
            lock.unlock();
        }
        wake(chosen);
        noteIf(last);
        listener.deposed(set, LeadershipWord.owner(seenWord), chosen, seenNs);
        return true;
    }

    public int count() {
        lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the smallest number of followers since the last call. This many threads were not needed in this time. */
    public int takeFewest() {
        lock();
        try {
            int taken = fewest;
            fewest = queue.size();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a follower leave if {@code mayLeave}, which is called with the lock held, allows it. Prefers a follower that is late in the
     * promotion order. The last follower always stays. When this returns, no takeover can choose the follower.
     */
    public boolean dismiss(Predicate<? super Candidate> mayLeave) {
        Candidate chosen = null;
        lock();
        try {
            List<Candidate> all = queue.all();
            for (int i = 0; chosen == null && i < all.size() && all.size() > 1; i++) {
                chosen = mayLeave.test(all.get(i)) ? all.get(i) : null;
            }
            if (chosen != null) {
                remove(chosen);
                chosen.dismissed = true;
            }
        } finally {
            lock.unlock();
        }
        wake(chosen);
        return chosen != null;
    }

    private void noteIf(boolean last) {
        if (last) {
            nobodyFollows.run();
        }
    }

    private void remove(Candidate member) {
        queue.remove(member);
        fewest = Math.min(fewest, queue.size());
        member.following = false;
    }

    public void wake(Candidate member) {
        if (member != null) {
            try {
                parking.unpark(member.thread);
            } catch (Throwable broken) { // perhaps a stack overflow of a handler: the successor must wake up
                parking.unpark(member.thread);
                throw broken;
            }
            counts.wakeups.increment();
        }
    }
}
