package org.cabrank.lf;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.dispatch.HandleSetEvents;
import org.cabrank.lf.dispatch.LastPosts;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Turn;

/** Runs a thread of the pool: it waits for leadership and leads, again and again, until the pool stops or its time is up. */
final class Participation {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final Members members;
    private final PoolLeadership leadership;
    private final HandleSetEvents[] events;
    private final LastPosts lastPosts;

    Participation(LeaderFollowersPool pool, List<HandleSet> sets, Members members, PoolLeadership leadership) {
        this.pool = pool;
        this.sets = sets;
        this.members = members;
        this.leadership = leadership;
        this.events = leadership.events();
        this.lastPosts = new LastPosts(
                pool.phase(), sets.stream().map(HandleSet::dispatcher).toList(), events);
    }

    Turn.Outcome participate(Member me, long deadlineNs) {
        Throwable thrown = null;
        leadership.appoint(me);
        try {
            return takeTurns(me, deadlineNs, false);
        } catch (Throwable fatal) {
            thrown = fatal;
            throw fatal;
        } finally {
            try {
                leadership.relinquish(me);
                if (thrown != null) {
                    pool.fail(thrown);
                }
            } finally {
                leave(me, thrown == null && !pool.isStoppingNow());
            }
        }
    }

    /**
     * Takes turns until the member has to leave. {@code leads} is true if the member already leads the set {@code me.leads}. If the pool's
     * own code throws, the pool fails. But the JVM may report the fault of a mapped file only after the handler has returned. After such a
     * fault, the member passes leadership on and begins anew.
     */
    Turn.Outcome takeTurns(Member me, long deadlineNs, boolean leads) {
        boolean leadsStill = leads;
        for (; ; ) {
            try {
                return takeTurnsOnce(me, deadlineNs, leadsStill);
            } catch (Throwable broken) { // thrown by a handle set or the pool: failures of handlers are caught earlier
                long processed = me.processedOpaque();
                if (!(broken instanceof InternalError) || processed == me.processedAtFault) {
                    pool.fail(broken);
                    return Turn.Outcome.STOPPED;
                }
                me.processedAtFault = processed;
                leadsStill = false;
                leadership.relinquish(me);
                submitRequestsOf(me);
                pool.wakeLeaders(); // the error may have interrupted a wake-up
                sets.get(me.leads).failures().log("%s continues after an error of the JVM", me, broken);
                me.noteInterrupt(); // an interrupted thread cannot park
            }
        }
    }

    private Turn.Outcome takeTurnsOnce(Member me, long deadlineNs, boolean leads) throws IOException {
        int finished = 0; // number of sets in a row that had no work left
        Turn.Outcome end = leads ? Turn.Outcome.LEADS : leadership.awaitLeadership(me, deadlineNs);
        while (end == Turn.Outcome.LEADS) {
            end = leadership.lead(me, deadlineNs);
            finished++;
            if (end == Turn.Outcome.PASSED_ON) {
                finished = 0;
                end = leadership.awaitLeadership(me, deadlineNs);
            } else if (end == Turn.Outcome.STOPPED && finished < sets.size() && leadership.leadVacant(me)) {
                end = Turn.Outcome.LEADS; // another set may have work left, and this may be the last thread
            }
        }
        return end;
    }

    /** Submits the requests of handlers that {@code me} has run, so that they do not wait until the leader wakes up. Never throws. */
    private void submitRequestsOf(Member me) {
        try {
            events[me.leads].submitRequests();
        } catch (Throwable broken) {
            sets.get(me.leads).failures().log("requests of %s wait for the next event", me, broken);
        }
    }

    /** Leaves the pool. Called by a thread that neither leads nor follows. */
    void leave(Member me, boolean owesPosts) {
        try {
            if (members.beginLeaving(me, pool.isStopping(), leadership.isRegularLeader(me))) {
                leaveLast(me, owesPosts);
            }
        } finally {
            try {
                leadership.leave(me);
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
                    set.dispatcher().lastWatcherLeaves();
                } catch (Throwable broken) { // the other sets also have requests under way
                    set.failures().log("the last requests of %s could not be ended", set, broken);
                }
            }
        }
    }
}
