package org.cabrank.lf;

import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.LeadershipListener;

final class LeadershipLog implements LeadershipListener {
    private final LeaderFollowersPool pool;
    private final Members members;
    private final long gapLimitNs;

    LeadershipLog(LeaderFollowersPool pool, Members members) {
        this.pool = pool;
        this.members = members;
        this.gapLimitNs = pool.config().promotion() instanceof DeferredPromotion deferred
                ? Deadlines.ns(deferred.maxGap())
                : HandleSet.FOREVER;
    }

    @Override
    public void handedOver(int set, int owner, int eventsBegun, Candidate promoted) {
        boolean toProcess = eventsBegun > 0;
        if (promoted != null) {
            int promotions = toProcess ? MemberCounters.EAGER_PROMOTIONS : MemberCounters.LEAVING_PROMOTIONS;
            members.counters(owner).counts.add(promotions, 1);
        }
        if (FlightRecording.hasBegunOpaque()) {
            if (toProcess) {
                PoolEvents.promotedEagerly(pool.config().name(), set, thread(promoted));
            } else {
                PoolEvents.promoted(pool.config().name(), set, PoolEvents.BY_LEAVING, thread(promoted));
            }
        }
    }

    @Override
    public void handedBack(int set, int owner, Candidate regular) {
        members.counters(owner).counts.add(MemberCounters.RETURN_PROMOTIONS, 1);
        if (FlightRecording.hasBegunOpaque()) {
            PoolEvents.promoted(pool.config().name(), set, PoolEvents.BY_RETURN, thread(regular));
        }
    }

    @Override
    public void promotedByHandler(int set, int owner, Candidate promoted) {
        members.counters(owner).counts.add(MemberCounters.HANDLER_PROMOTIONS, 1);
        if (FlightRecording.hasBegunOpaque()) {
            PoolEvents.promoted(pool.config().name(), set, PoolEvents.BY_HANDLER, thread(promoted));
        }
    }

    @Override
    public void deposed(int set, int owner, Candidate candidate, long seenNs) {
        Member successor = (Member) candidate;
        successor.counts.add(MemberCounters.TAKEOVERS, 1);
        successor.counts.raiseTo(MemberCounters.LARGEST_GAP_NS, seenNs);
        if (seenNs > gapLimitNs) {
            successor.counts.add(MemberCounters.GAPS_OVER_LIMIT, 1);
        }
        if (FlightRecording.hasBegunOpaque()) {
            Member deposed = members.byId(owner); // null if the deposed leader has left the pool since
            PoolEvents.deposed(
                    pool.config().name(),
                    set,
                    successor.thread,
                    thread(deposed),
                    deposed == null ? null : pool.describeWork(deposed),
                    seenNs,
                    gapLimitNs);
        }
    }

    private static Thread thread(Candidate member) {
        return member == null ? null : member.thread;
    }
}
