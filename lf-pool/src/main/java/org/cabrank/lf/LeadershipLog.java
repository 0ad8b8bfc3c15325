package org.cabrank.lf;

import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** Counts the changes of leadership of a pool, and has them recorded where a flight recording wants them. */
final class LeadershipLog implements LeadershipListener {
    private final LeaderFollowersPool pool;
    private final Members members;
    private final long gapLimitNs;

    LeadershipLog(LeaderFollowersPool pool, Members members) {
        this.pool = pool;
        this.members = members;
        this.gapLimitNs = pool.config().promotion() instanceof Promotion.Deferred deferred
                ? deferred.maxGap().toNanos()
                : HandleSet.FOREVER;
    }

    @Override
    public void handedOver(int set, int owner, int eventsBegun, Member promoted) {
        boolean toProcess = eventsBegun > 0;
        if (promoted != null) {
            MemberCounters counters = members.counters(owner);
            (toProcess ? counters.eagerPromotions : counters.leavingPromotions).add(1);
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
    public void promotedByHandler(int set, int owner, Member promoted) {
        members.counters(owner).handlerPromotions.add(1);
        if (FlightRecording.hasBegunOpaque()) {
            PoolEvents.promoted(pool.config().name(), set, PoolEvents.BY_HANDLER, thread(promoted));
        }
    }

    @Override
    public void deposed(int set, int owner, Member standby, long seenNs) {
        standby.counters.depositions.add(1);
        if (seenNs > gapLimitNs) {
            standby.counters.gapsOverLimit.add(1);
        }
        if (FlightRecording.hasBegunOpaque()) {
            Member deposed = members.byId(owner); // null if its event has ended since, and it has left
            PoolEvents.deposed(
                    pool.config().name(),
                    set,
                    thread(deposed),
                    deposed == null ? null : pool.watched().describeWork(deposed),
                    seenNs,
                    gapLimitNs);
        }
    }

    private static Thread thread(Member member) {
        return member == null ? null : member.thread;
    }
}
