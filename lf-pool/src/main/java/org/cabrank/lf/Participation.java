package org.cabrank.lf;

import java.util.List;

/**
 * How a thread takes part in a pool: it waits for leadership, has its turn, and so on until the pool stops or its time is
 * up; and however it comes to leave, it passes leadership on.
 */
final class Participation {
    private final LeaderFollowersPool pool;
    private final Members members;
    private final LeadershipWord[] words;
    private final Followers followers;
    private final FollowerWait followerWait;
    private final Turn[] turns;

    /** Without words nobody leads: each thread watches at once. */
    private final boolean led;

    Participation(LeaderFollowersPool pool, List<HandleSet> sets, Members members, Parking parking) {
        PoolConfig config = pool.config();
        this.pool = pool;
        this.members = members;
        this.led = config.threads() > 1 && !(config.promotion() instanceof Promotion.Kernel);
        this.words = new LeadershipWord[sets.size()];
        for (int set = 0; set < words.length; set++) {
            words[set] = new LeadershipWord();
        }
        Line line = Line.of(config.order(), sets.get(0).failures());
        this.followers = new Followers(words, line, parking, config.promotion() instanceof Promotion.Deferred);
        this.followerWait = new FollowerWait(pool, words, followers, parking, config.waiting(), config.promotion());
        this.turns = new Turn[sets.size()];
        for (int set = 0; set < turns.length; set++) {
            turns[set] = turn(set, sets.get(set), parking);
        }
    }

    private Turn turn(int index, HandleSet set, Parking parking) {
        PoolConfig config = pool.config();
        EventProcessor processor = new EventProcessor(set);
        if (config.threads() > 1 && config.promotion() instanceof Promotion.Kernel) {
            return new KernelTurn(
                    set, processor, list -> new Watch(list, parking, config.waiting(), pool), config.threads());
        }
        ReadyList readyList = set.newReadyList();
        Watch watch = new Watch(readyList, parking, config.waiting(), pool);
        if (config.threads() == 1) {
            return new SoloTurn(readyList, processor, watch);
        }
        return config.promotion() instanceof Promotion.Eager
                ? new EagerTurn(index, readyList, processor, watch, words[index], followers)
                : new DeferredTurn(index, readyList, processor, watch, words[index], followers);
    }

    Turn.End participate(Member me, long deadlineNs) {
        try {
            Turn.End end = Turn.End.PASSED_ON;
            while (end == Turn.End.PASSED_ON || end == Turn.End.LEADER) {
                end = led ? followerWait.awaitLeadership(me, deadlineNs) : Turn.End.LEADER;
                if (end == Turn.End.LEADER) {
                    end = turns[me.leads].lead(me, deadlineNs);
                }
            }
            return end;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable broken) { // of a handle set: handlers' failures do not come this far
            pool.fail(broken);
            return Turn.End.STOPPED;
        } finally {
            relinquish(me);
            members.remove(me);
            if (me.interrupted) {
                me.thread.interrupt();
            }
        }
    }

    private void relinquish(Member me) {
        me.processing = false;
        if (!led) {
            return;
        }
        if (me.following) {
            followers.leave(me);
        }
        LeadershipWord word = words[me.leads];
        long seen = word.wordAcquire();
        if (LeadershipWord.owner(seen) == me.id
                && (LeadershipWord.phase(seen) != LeadershipWord.PROCESSING || word.endProcessing(seen))) {
            followers.handOver(me.leads, 0);
        }
    }

    /** See {@link LeaderFollowersPool#promoteNewLeader}. */
    boolean promoteNewLeader(Member me) {
        if (me.begun == 0) {
            return false;
        }
        boolean promoted = followers.promoteWhileProcessing(me.leads, me.begun);
        me.begun = 0;
        if (promoted) {
            me.promotions.add(1);
        }
        return promoted;
    }

    void wakeFollowers() {
        followers.wakeAll();
    }

    ThreadState stateOf(Member member) {
        if (member.following) {
            return ThreadState.FOLLOWER;
        }
        if (!led) {
            return member.processing ? ThreadState.PROCESSING : ThreadState.LEADER;
        }
        long seen = words[member.leads].wordAcquire();
        boolean leads =
                LeadershipWord.owner(seen) == member.id && LeadershipWord.phase(seen) != LeadershipWord.PROCESSING;
        return leads ? ThreadState.LEADER : ThreadState.PROCESSING;
    }
}
