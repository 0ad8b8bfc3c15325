package org.cabrank.lf;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.dispatch.EventProcessor;
import org.cabrank.lf.dispatch.HandleSetEvents;
import org.cabrank.lf.dispatch.LastPosts;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.DeferredTurn;
import org.cabrank.lf.leadership.EagerTurn;
import org.cabrank.lf.leadership.FollowerQueue;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.LeadershipCounts;
import org.cabrank.lf.leadership.LeadershipWait;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.RegularLeader;
import org.cabrank.lf.leadership.SoloTurn;
import org.cabrank.lf.leadership.Turn;
import org.cabrank.lf.leadership.Watcher;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;

/**
 * Participation of a thread in a pool: it waits for leadership, has its turn, and repeats until the pool stops or its time is
 * up. It passes leadership on however it leaves.
 */
final class Participation {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final Members members;
    private final LeadershipWord[] words;
    private final Followers followers;
    private final Parking parking;
    private final LeadershipWait leadershipWait;

    /** Null: leaders are never replaced. */
    private final LeaderWatch leaderWatch;

    /** Indexed by set; null: every leader is as good as any other. */
    private final RegularLeader[] regularLeaders;

    private final EventProcessor[] processors;
    private final Turn[] turns;
    private final LastPosts lastPosts;

    /** False in a pool of one thread: it always watches, and no leadership word is used. */
    private final boolean led;

    Participation(LeaderFollowersPool pool, List<HandleSet> sets, Members members, Parking parking, Watcher watcher) {
        PoolConfig config = pool.config();
        this.pool = pool;
        this.sets = sets;
        this.members = members;
        this.parking = parking;
        this.led = config.threads() > 1;
        this.words = new LeadershipWord[sets.size()];
        for (int set = 0; set < words.length; set++) {
            words[set] = new LeadershipWord();
        }
        FollowerQueue queue = config.order().newQueue(sets.get(0).failures());
        this.followers = new Followers(words, queue, parking, new LeadershipLog(pool, members));
        this.leadershipWait = new LeadershipWait(
                pool.phase(), followers, parking, config.waiting().spinNs());
        this.leaderWatch = led && config.promotion() instanceof Promotion.Deferred deferred
                ? new LeaderWatch(
                        watcher::wake, words, members::byId, followers, parking, Deadlines.ns(deferred.maxGap()))
                : null;
        this.turns = new Turn[sets.size()];
        this.regularLeaders = new RegularLeader[sets.size()];
        this.processors = new EventProcessor[sets.size()];
        for (int set = 0; set < turns.length; set++) {
            processors[set] = new EventProcessor(sets.get(set).dispatcher);
            turns[set] = turn(set, sets.get(set), parking);
        }
        this.lastPosts = new LastPosts(
                pool.phase(), sets.stream().map(set -> set.dispatcher).toList(), processors);
    }

    private Turn turn(int index, HandleSet set, Parking parking) {
        PoolConfig config = pool.config();
        HandleSetEvents watch = new HandleSetEvents(
                set.dispatcher, processors[index], parking, config.waiting().spinNs(), pool.phase());
        if (!led) {
            return new SoloTurn<>(watch);
        }
        if (config.promotion() instanceof Promotion.Eager) {
            return new EagerTurn<>(index, watch, words[index], followers);
        }
        if (set.prefersOneLeader()) {
            regularLeaders[index] = new RegularLeader(new Turns(set));
        }
        return new DeferredTurn<>(index, watch, words[index], followers, leaderWatch, regularLeaders[index]);
    }

    /** Tells a set who leads. */
    private record Turns(HandleSet set) implements RegularLeader.Listener {
        @Override
        public void turnBegins(boolean regular) {
            set.turnBegins(regular);
        }

        @Override
        public void deputyEnds() {
            set.deputyEnds();
        }
    }

    /** The first thread of the pool's own is the regular leader of a set; of a pool without such threads, the first guest. */
    private void appoint(Member me) {
        if (!me.ofPool && pool.isStarted()) {
            return;
        }
        for (RegularLeader leader : regularLeaders) {
            if (leader != null && leader.appoint(me)) {
                return;
            }
        }
    }

    /** Any thread: returns true if this is the regular leader of a set. */
    boolean isRegularLeader(Member member) {
        for (RegularLeader leader : regularLeaders) {
            if (leader != null && leader.is(member)) {
                return true;
            }
        }
        return false;
    }

    /** The calling thread has lined up. If it is a regular leader, its deputy gives leadership back before the next wait. */
    void somebodyFollows(Candidate me) {
        for (int set = 0; set < regularLeaders.length; set++) {
            if (regularLeaders[set] != null && regularLeaders[set].is(me)) {
                sets.get(set).wakeup();
            }
        }
    }

    /** Every step of the way out is taken, whatever the steps before have thrown. */
    Turn.Outcome participate(Member me, long deadlineNs) {
        Throwable thrown = null;
        appoint(me);
        try {
            return takeTurns(me, deadlineNs, false);
        } catch (Throwable fatal) {
            thrown = fatal;
            throw fatal;
        } finally {
            try {
                relinquish(me);
                if (thrown != null) {
                    pool.fail(thrown);
                }
            } finally {
                leave(me, thrown == null && !pool.isStoppingNow());
            }
        }
    }

    void threadBegins() {
        sets.get(0).threadBegins();
    }

    /** Returns a probe of the calling thread, see {@link HandleSet#newThreadProbe}. All sets of a pool are of one backend. */
    BooleanSupplier newThreadProbe() {
        return sets.get(0).newThreadProbe();
    }

    /**
     * Submits the requests of the handlers that {@code me} has run, when an error has ended its turn before the turn has. A leader
     * that waits already would not submit these requests before the next event. Never throws.
     */
    private void submitRequestsOf(Member me) {
        try {
            processors[me.leads].submitRequests();
        } catch (Throwable broken) {
            sets.get(me.leads).failures().log("requests of %s wait for the next event", me, broken);
        }
    }

    /** The calling thread, which neither leads nor follows, gives its place back. */
    void leave(Member me, boolean owesPosts) {
        try {
            if (members.beginLeaving(me, pool.isStopping(), isRegularLeader(me))) {
                leaveLast(me, owesPosts);
            }
        } finally {
            try {
                for (RegularLeader leader : regularLeaders) {
                    if (leader != null) {
                        leader.leave(me);
                    }
                }
                members.remove(me);
            } finally {
                try {
                    pool.placeFreed();
                } finally {
                    if (me.interrupted) {
                        me.thread.interrupt();
                    }
                }
            }
        }
    }

    private void leaveLast(Member me, boolean owesPosts) {
        try {
            if (owesPosts) {
                lastPosts.process(me);
            }
        } finally {
            for (HandleSet set : sets) {
                try {
                    set.lastWatcherLeaves();
                } catch (Throwable broken) { // the other sets have requests under way, too
                    set.failures().log("the last requests of %s could not be ended", set, broken);
                }
            }
        }
    }

    /**
     * Takes turns until the member has to leave. What the pool's own code throws ends the pool, except for the fault of a mapped file
     * that the JVM reports after the handler has returned: the member passes leadership on and begins anew.
     */
    private Turn.Outcome takeTurns(Member me, long deadlineNs, boolean leads) {
        boolean leadsStill = leads;
        for (; ; ) {
            try {
                return takeTurnsOnce(me, deadlineNs, leadsStill);
            } catch (Throwable broken) { // of a handle set or the pool: handlers' failures do not come this far
                long processed = me.processedOpaque();
                if (!(broken instanceof InternalError) || processed == me.processedAtFault) {
                    pool.fail(broken);
                    return Turn.Outcome.STOPPED;
                }
                me.processedAtFault = processed;
                leadsStill = false;
                relinquish(me);
                submitRequestsOf(me);
                pool.wakeLeaders(); // a wake-up may have been broken off
                sets.get(me.leads).failures().log("%s has met an error of the JVM, and begins anew", me, broken);
                me.noteInterrupt(); // an interrupted thread cannot park
            }
        }
    }

    private Turn.Outcome takeTurnsOnce(Member me, long deadlineNs, boolean leads) throws IOException {
        int finished = 0; // sets, one after the other, in which there was nothing left to do
        Turn.Outcome end = leads ? Turn.Outcome.LEADS : awaitLeadership(me, deadlineNs);
        while (end == Turn.Outcome.LEADS) {
            end = turns[me.leads].lead(me, deadlineNs);
            finished++;
            if (end == Turn.Outcome.PASSED_ON) {
                finished = 0;
                end = awaitLeadership(me, deadlineNs);
            } else if (end == Turn.Outcome.STOPPED && finished < turns.length && led && followers.leadVacant(me)) {
                end = Turn.Outcome.LEADS; // another set may not be finished, and this be the last thread to come by
            }
        }
        return end;
    }

    private Turn.Outcome awaitLeadership(Member me, long deadlineNs) {
        return led ? leadershipWait.awaitLeadership(me, deadlineNs) : Turn.Outcome.LEADS;
    }

    /**
     * Waits for {@code reply} on behalf of a handler that {@code me} runs, and takes part during the wait. The thread begins the
     * wait as leader if it still is the leader. After the wait the thread is not the leader, because the event that the handler
     * processes has outlasted later events.
     *
     * @throws NestingLimitException when too many handlers of this thread wait already
     */
    Turn.Outcome waitNested(Member me, Reply<?> reply, long deadlineNs) {
        if (me.nested >= pool.config().nestingMax()) {
            me.counts.add(MemberCounters.NESTING_REFUSALS, 1);
            throw new NestingLimitException(me.thread.getName() + " waits for " + me.nested
                    + " replies already, one within the other; more are not allowed in " + pool);
        }
        StackRoom.require();
        reply.announce(me);
        Reply<?> outer = me.awaited;
        int set = me.leads;
        try {
            processors[set].letGo(me);
            boolean leads = !led || me.begun != 0 && words[set].endProcessing(me.begun);
            if (!leads) {
                processors[set].submitRequests();
            }
            me.begun = 0;
            me.awaited = reply;
            me.nested++;
            me.counts.add(MemberCounters.NESTED_WAITS, 1);
            me.processing = false;
            me.hasServed = false;
            try {
                return takeTurns(me, deadlineNs, leads);
            } finally {
                me.nested--;
                me.hasServed = true;
                relinquish(me);
                me.begun = 0;
                me.holdNone();
                me.leads = set; // the handler continues, and the thread may have led other sets during the wait
                me.processing = true;
            }
        } finally {
            me.awaited = outer;
            reply.withdraw();
        }
    }

    /** Has the member look whether its reply is there, if it rests: see {@link Reply}. */
    void wake(Member waiter) {
        if (waiter.following) {
            followers.wake(waiter);
            return;
        }
        for (int set = 0; set < words.length; set++) {
            if (!led || LeadershipWord.owner(words[set].wordVolatile()) == waiter.id) {
                pool.wakeup(set);
            }
        }
    }

    /** The member leads nothing any more and does not follow. Never throws. */
    private void relinquish(Member me) {
        me.processing = false;
        if (led) {
            try {
                followers.giveUp(me);
            } catch (Throwable broken) { // leadership may be lost
                pool.fail(broken);
            }
        }
    }

    boolean promoteNewLeader(Member me) {
        boolean promoted = me.begun != 0 && followers.promoteWhileProcessing(me.leads, me.begun);
        me.begun = 0;
        if (!promoted) {
            processors[me.leads].submitRequests(); // no leader's next wait takes them along
        }
        return promoted;
    }

    boolean leads(Member member) {
        for (LeadershipWord word : words) {
            if (LeadershipWord.owner(word.wordAcquire()) == member.id) {
                return true;
            }
        }
        return false;
    }

    Followers followers() {
        return followers;
    }

    /** Null: leaders are never replaced. */
    LeaderWatch leaderWatch() {
        return leaderWatch;
    }

    /** Returns the leadership words, indexed by set; empty in a pool of one thread. */
    LeadershipWord[] words() {
        return led ? words : new LeadershipWord[0];
    }

    LeadershipCounts leadershipCounts() {
        return followers.counts();
    }

    /** Called when the pool stops. Followers look at the phase of the pool. */
    void wakeFollowers() {
        for (Member member : members.present()) {
            if (member.following || member.asleep) { // asleep: promoted, and not woken because of an error
                followers.wake(member);
            }
        }
    }

    ThreadStatus statusOf(Member member) {
        int set = member.leads;
        if (member.following) {
            return status(member, ThreadState.FOLLOWER, set, false);
        }
        if (!led) {
            return status(member, member.isProcessingOpaque() ? ThreadState.PROCESSING : ThreadState.LEADER, set, true);
        }
        long seen = words[set].wordAcquire();
        boolean owner = LeadershipWord.owner(seen) == member.id;
        boolean watches = owner && LeadershipWord.phase(seen) != LeadershipWord.PROCESSING;
        return status(member, watches ? ThreadState.LEADER : ThreadState.PROCESSING, set, owner);
    }

    private static ThreadStatus status(Member member, ThreadState state, int set, boolean owner) {
        return new ThreadStatus(member.thread.getName(), state, set, owner, member.countersSinceJoin());
    }
}
