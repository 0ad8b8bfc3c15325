package org.cabrank.lf;

import java.util.List;

/**
 * How a thread takes part in a pool: it waits for leadership, has its turn, and so on until the pool stops or its time is
 * up; and however it comes to leave, it passes leadership on.
 */
final class Participation {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final Members members;
    private final LeadershipWord[] words;
    private final Followers followers;
    private final FollowerWait followerWait;
    private final EventProcessor[] processors;
    private final Turn[] turns;
    private final LastPosts lastPosts;

    /** Without words nobody leads: each thread watches at once. */
    private final boolean led;

    Participation(LeaderFollowersPool pool, List<HandleSet> sets, Members members, Parking parking) {
        PoolConfig config = pool.config();
        this.pool = pool;
        this.sets = sets;
        this.members = members;
        this.led = config.threads() > 1 && !(config.promotion() instanceof Promotion.Kernel);
        this.words = new LeadershipWord[sets.size()];
        for (int set = 0; set < words.length; set++) {
            words[set] = new LeadershipWord();
        }
        Line line = Line.of(config.order(), sets.get(0).failures());
        this.followers = new Followers(
                words,
                line,
                parking,
                config.promotion() instanceof Promotion.Deferred,
                new LeadershipLog(pool, members));
        this.followerWait =
                new FollowerWait(pool, members, words, followers, parking, config.waiting(), config.promotion());
        this.turns = new Turn[sets.size()];
        this.processors = new EventProcessor[sets.size()];
        for (int set = 0; set < turns.length; set++) {
            processors[set] = new EventProcessor(sets.get(set));
            turns[set] = turn(set, sets.get(set), parking);
        }
        this.lastPosts = new LastPosts(sets, processors);
    }

    private Turn turn(int index, HandleSet set, Parking parking) {
        PoolConfig config = pool.config();
        EventProcessor processor = processors[index];
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
        boolean inOrder = false;
        try {
            Turn.End end = takeTurns(me, deadlineNs, false);
            inOrder = true;
            return end;
        } finally {
            relinquish(me);
            try {
                if (members.beginLeaving(me, pool.isStopping())) {
                    leaveLast(me, inOrder && !pool.isStoppingNow());
                }
            } finally {
                members.remove(me);
                pool.placeFreed();
                if (me.interrupted) {
                    me.thread.interrupt();
                }
            }
        }
    }

    /** Nobody watches any more. */
    private void leaveLast(Member me, boolean owesPosts) {
        try {
            if (owesPosts) {
                lastPosts.process(me);
            }
        } finally {
            sets.forEach(HandleSet::lastWatcherLeaves);
        }
    }

    private Turn.End takeTurns(Member me, long deadlineNs, boolean leads) {
        try {
            int finished = 0; // sets, one after the other, in which there was nothing left to do
            Turn.End end = leads ? Turn.End.LEADER : awaitLeadership(me, deadlineNs);
            while (end == Turn.End.LEADER) {
                end = turns[me.leads].lead(me, deadlineNs);
                finished++;
                if (end == Turn.End.PASSED_ON) {
                    finished = 0;
                    end = awaitLeadership(me, deadlineNs);
                } else if (end == Turn.End.STOPPED && finished < turns.length && led && followers.leadVacant(me)) {
                    end = Turn.End.LEADER; // another set may not be finished, and this be the last thread to come by
                }
            }
            return end;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable broken) { // of a handle set: handlers' failures do not come this far
            pool.fail(broken);
            return Turn.End.STOPPED;
        }
    }

    private Turn.End awaitLeadership(Member me, long deadlineNs) {
        return led ? followerWait.awaitLeadership(me, deadlineNs) : Turn.End.LEADER;
    }

    /**
     * A handler that {@code me} runs waits for {@code reply}, and takes part meanwhile. It goes on as leader if it is one still;
     * afterwards it is not: the event that it processes has outlasted others.
     *
     * @throws NestingLimitException when too many handlers of this thread wait already
     */
    Turn.End waitNested(Member me, Reply<?> reply, long deadlineNs) {
        if (me.nested >= pool.config().nestingMax()) {
            me.counts.add(MemberCounters.NESTING_REFUSALS, 1);
            throw new NestingLimitException(me.thread.getName() + " waits for " + me.nested
                    + " replies already, one within the other; more are not allowed in " + pool);
        }
        reply.announce(me);
        Reply<?> outer = me.awaited;
        try {
            processors[me.leads].letGo(me);
            boolean leads = !led || me.begun != 0 && words[me.leads].endProcessing(me.begun);
            if (!leads) {
                processors[me.leads].submitRequests();
            }
            me.begun = 0;
            me.awaited = reply;
            me.nested++;
            me.counts.add(MemberCounters.NESTED_WAITS, 1);
            me.processing = false;
            try {
                return takeTurns(me, deadlineNs, leads);
            } finally {
                me.nested--;
                relinquish(me);
                me.begun = 0;
                me.heldKey = Member.HOLDS_NONE;
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
        return promoted;
    }

    LeadershipCounts leadershipCounts() {
        return followers.counts();
    }

    void wakeFollowers() {
        followers.wakeAll();
    }

    LeaderFollowersPool.ThreadStatus statusOf(Member member) {
        int set = member.leads;
        if (member.following) {
            return status(member, ThreadState.FOLLOWER, set, false);
        }
        if (!led) {
            boolean alone = pool.config().threads() == 1;
            return status(
                    member, member.isProcessingOpaque() ? ThreadState.PROCESSING : ThreadState.LEADER, set, alone);
        }
        long seen = words[set].wordAcquire();
        boolean owner = LeadershipWord.owner(seen) == member.id;
        boolean watches = owner && LeadershipWord.phase(seen) != LeadershipWord.PROCESSING;
        return status(member, watches ? ThreadState.LEADER : ThreadState.PROCESSING, set, owner);
    }

    private LeaderFollowersPool.ThreadStatus status(Member member, ThreadState state, int set, boolean owner) {
        boolean standby = state == ThreadState.FOLLOWER && followers.isStandby(member);
        return new LeaderFollowersPool.ThreadStatus(
                member.thread.getName(), state, set, owner, standby, member.countersSinceJoin());
    }
}
