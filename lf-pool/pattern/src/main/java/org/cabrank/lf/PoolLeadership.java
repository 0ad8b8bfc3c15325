package org.cabrank.lf;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.counting.ThreadCounters;
import org.cabrank.lf.dispatch.HandleSetEvents;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.DeferredTurn;
import org.cabrank.lf.leadership.EagerTurn;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.LeadershipWait;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.RegularLeader;
import org.cabrank.lf.leadership.SoloTurn;
import org.cabrank.lf.leadership.Turn;
import org.cabrank.lf.leadership.Watcher;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;

/** The leadership words, turns and events of a pool's handle sets, and the followers of all sets. */
final class PoolLeadership {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final Members members;
    private final LeadershipWord[] words;
    private final Followers followers;
    private final LeadershipWait wait;

    /** Null if the watcher never replaces leaders. */
    private final LeaderWatch watch;

    /** Indexed by set. Null for a set without a regular leader. */
    private final RegularLeader[] regularLeaders;

    private final HandleSetEvents[] events;
    private final Turn[] turns;

    /** False in a pool of one thread. Its thread always watches and needs no leadership word. */
    private final boolean led;

    PoolLeadership(LeaderFollowersPool pool, List<HandleSet> sets, Members members, Parking parking, Watcher watcher) {
        PoolConfig config = pool.config();
        this.pool = pool;
        this.sets = sets;
        this.members = members;
        this.led = config.threads() > 1;
        this.words = new LeadershipWord[sets.size()];
        for (int set = 0; set < words.length; set++) {
            words[set] = new LeadershipWord();
        }
        long spinNs = config.waiting().spinNs();
        this.followers = new Followers(
                words, config.order().newQueue(sets.get(0).failures()), parking, new LeadershipLog(pool, members));
        this.wait = new LeadershipWait(pool.phase(), followers, parking, spinNs);
        this.watch = led && config.promotion() instanceof DeferredPromotion deferred
                ? new LeaderWatch(
                        watcher::wake, words, members::byId, followers, parking, Deadlines.ns(deferred.maxGap()))
                : null;
        this.turns = new Turn[sets.size()];
        this.regularLeaders = new RegularLeader[sets.size()];
        this.events = new HandleSetEvents[sets.size()];
        for (int set = 0; set < turns.length; set++) {
            events[set] = new HandleSetEvents(sets.get(set).dispatcher(), parking, spinNs, pool.phase());
            turns[set] = turn(set, sets.get(set));
        }
    }

    private Turn turn(int index, HandleSet set) {
        if (!led) {
            return new SoloTurn<>(events[index]);
        }
        if (pool.config().promotesEagerly()) {
            return new EagerTurn<>(index, events[index], words[index], followers);
        }
        if (set.dispatcher().prefersOneLeader()) {
            regularLeaders[index] = new RegularLeader(set.dispatcher());
        }
        return new DeferredTurn<>(index, events[index], words[index], followers, watch, regularLeaders[index]);
    }

    /** Makes {@code me} the regular leader of a set that has none yet. A guest becomes regular leader only if the pool was not started. */
    void appoint(Member me) {
        if (!me.ofPool && pool.isStarted()) {
            return;
        }
        for (RegularLeader leader : regularLeaders) {
            if (leader != null && leader.appoint(me)) {
                return;
            }
        }
    }

    void leave(Member me) {
        for (RegularLeader leader : regularLeaders) {
            if (leader != null) {
                leader.leave(me);
            }
        }
    }

    boolean isRegularLeader(Candidate member) {
        for (RegularLeader leader : regularLeaders) {
            if (leader != null && leader.is(member)) {
                return true;
            }
        }
        return false;
    }

    /** If {@code me} is a regular leader that follows again, wakes its deputy. The deputy gives leadership back before it waits again. */
    void somebodyFollows(Candidate me) {
        for (int set = 0; set < regularLeaders.length; set++) {
            if (regularLeaders[set] != null && regularLeaders[set].is(me)) {
                sets.get(set).wakeup();
            }
        }
    }

    Turn.Outcome awaitLeadership(Member me, long deadlineNs) {
        return led ? wait.awaitLeadership(me, deadlineNs) : Turn.Outcome.LEADS;
    }

    Turn.Outcome lead(Member me, long deadlineNs) throws IOException {
        return turns[me.leads].lead(me, deadlineNs);
    }

    boolean leadVacant(Member me) {
        return led && followers.leadVacant(me);
    }

    /** Ends the member's leadership and following. Never throws. */
    void relinquish(Member me) {
        me.processing = false;
        if (led) {
            try {
                followers.giveUp(me);
            } catch (Throwable broken) { // the set may have no leader any more
                pool.fail(broken);
            }
        }
    }

    boolean promoteNewLeader(Member me) {
        boolean promoted = me.begun != 0 && followers.promoteWhileProcessing(me.leads, me.begun);
        me.begun = 0;
        if (!promoted) {
            events[me.leads].submitRequests(); // no leader submits them with its next wait
        }
        return promoted;
    }

    /** Ends the member's event as if its handler had returned. Returns true if the member still leads. */
    boolean endProcessing(Member me) {
        boolean leads = !led || me.begun != 0 && words[me.leads].endProcessing(me.begun);
        me.begun = 0;
        return leads;
    }

    /** Wakes a member that waits for a {@link Reply}, so that it checks its reply. */
    void wake(Member waiter) {
        if (waiter.following) {
            followers.wake(waiter);
            return;
        }
        for (int set = 0; set < words.length; set++) {
            if (!led || LeadershipWord.owner(words[set].wordVolatile()) == waiter.id) {
                sets.get(set).wakeup();
            }
        }
    }

    /** Called when the pool stops, so that followers read the pool's phase. */
    void wakeFollowers() {
        for (Member member : members.present()) {
            if (member.following || member.asleep) { // asleep: promoted, but not woken because of an error
                followers.wake(member);
            }
        }
    }

    boolean leads(Member member) {
        for (LeadershipWord word : words) {
            if (LeadershipWord.owner(word.wordAcquire()) == member.id) {
                return true;
            }
        }
        return false;
    }

    HandleSetEvents[] events() {
        return events;
    }

    Followers followers() {
        return followers;
    }

    LeaderWatch watch() {
        return watch;
    }

    LeadershipWord[] words() {
        return led ? words : new LeadershipWord[0];
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
        ThreadCounters counters = member.countersSinceJoin();
        return new ThreadStatus(
                member.thread.getName(),
                state,
                set,
                owner,
                counters.processed(),
                counters.promotions(),
                counters.takeovers());
    }
}
