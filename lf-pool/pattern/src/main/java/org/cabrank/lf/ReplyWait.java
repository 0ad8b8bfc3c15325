package org.cabrank.lf;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.dispatch.HandleSetEvents;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Turn;

/** Lets pool threads and other threads wait for a {@link Reply}. */
final class ReplyWait {
    private final LeaderFollowersPool pool;
    private final Members members;
    private final PoolLeadership leadership;
    private final Participation participation;
    private final Parking parking;

    /** Threads that wait without taking part, because the pool had no free slot or because they are virtual. */
    private final Set<Thread> crowd = ConcurrentHashMap.newKeySet();

    ReplyWait(
            LeaderFollowersPool pool,
            Members members,
            PoolLeadership leadership,
            Participation participation,
            Parking parking) {
        this.pool = pool;
        this.members = members;
        this.leadership = leadership;
        this.participation = participation;
        this.parking = parking;
    }

    long nanoTime() {
        return parking.nanoTime();
    }

    /** Waits for the reply, and takes part meanwhile, until the reply is done, the pool stops or {@code deadlineNs} has passed. */
    Turn.Outcome waitFor(Reply<?> reply, long deadlineNs) {
        Member me = members.current();
        if (me == null) {
            return waitAsGuest(reply, deadlineNs);
        }
        if (!me.processing) {
            throw new IllegalStateException(me.thread.getName() + " takes part in " + pool
                    + " but does not process an event: here it must not wait for a reply");
        }
        return waitNested(me, reply, deadlineNs);
    }

    /** Waits in a handler that {@code me} runs. If {@code me} leads, it begins the wait as leader, but it leads no set after the wait. */
    private Turn.Outcome waitNested(Member me, Reply<?> reply, long deadlineNs) {
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
            HandleSetEvents events = leadership.events()[set];
            events.letGo(me);
            boolean leads = leadership.endProcessing(me);
            if (!leads) {
                events.submitRequests();
            }
            me.awaited = reply;
            me.nested++;
            me.counts.add(MemberCounters.NESTED_WAITS, 1);
            me.processing = false;
            me.hasServed = false;
            try {
                return participation.takeTurns(me, deadlineNs, leads);
            } finally {
                me.nested--;
                me.hasServed = true;
                leadership.relinquish(me);
                me.begun = 0;
                me.holdNone();
                me.leads = set; // the thread may have led other sets during the wait
                me.processing = true;
            }
        } finally {
            me.awaited = outer;
            reply.withdraw();
        }
    }

    private Turn.Outcome waitAsGuest(Reply<?> reply, long deadlineNs) {
        Member outside = new Member(0, Thread.currentThread());
        boolean mayJoin = !VirtualThreads.isVirtual(outside.thread);
        if (!mayJoin && !pool.isStarted()) { // the pool might have no thread that serves the reply
            throw new IllegalStateException(VirtualThreads.refusal(outside.thread, pool));
        }
        reply.announce(outside);
        try {
            Member reserved = mayJoin ? members.reserve() : null;
            if (reserved == null) {
                crowd.add(outside.thread);
                try {
                    reserved = awaitPlace(outside, mayJoin, reply, deadlineNs);
                } finally {
                    crowd.remove(outside.thread);
                }
            }
            if (reserved == null) {
                return pool.isStopping() ? Turn.Outcome.STOPPED : Turn.Outcome.TIMED_OUT;
            }
            Member me = pool.adopt(reserved);
            me.interrupted = outside.interrupted;
            outside.interrupted = false; // the member sets the status again when it leaves
            me.awaited = reply;
            reply.announceAs(me);
            return participation.participate(me, deadlineNs);
        } finally {
            reply.withdraw();
            if (outside.interrupted) {
                outside.thread.interrupt();
            }
        }
    }

    private Member awaitPlace(Member outside, boolean mayJoin, Reply<?> reply, long deadlineNs) {
        while (!reply.isDone() && !pool.isStopping() && !Deadlines.isPast(deadlineNs, parking.nanoTime())) {
            Member reserved = mayJoin ? members.reserve() : null;
            if (reserved != null) {
                return reserved;
            }
            parking.park(this, deadlineNs == HandleSet.FOREVER ? HandleSet.FOREVER : deadlineNs - parking.nanoTime());
            outside.interrupted |= Thread.interrupted();
        }
        return null;
    }

    /** Wakes a waiting thread, so that it checks if its reply is done. Any thread may call this. */
    void wake(Member waiter) {
        if (waiter.thread == Thread.currentThread()) {
            return; // this thread checks its reply when the running handler, which completes the reply, has returned
        }
        if (waiter.id == 0) {
            parking.unpark(waiter.thread);
        } else {
            leadership.wake(waiter);
        }
    }

    void wakeCrowd() {
        if (!crowd.isEmpty()) {
            crowd.forEach(parking::unpark);
        }
    }

    Throwable failure() {
        return pool.failure();
    }

    @Override
    public String toString() {
        return pool.toString();
    }
}
