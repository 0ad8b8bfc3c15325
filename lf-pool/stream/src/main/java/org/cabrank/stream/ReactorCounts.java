package org.cabrank.stream;

import java.util.List;
import org.cabrank.stream.transport.ReactorTotals;
import org.cabrank.stream.transport.StreamShard;

/** Sums of the counts of all shards of a reactor. Any thread. */
final class ReactorCounts {
    private ReactorCounts() {}

    /** Outcomes of the connections. */
    static StreamCounters outcomes(List<? extends StreamShard> shards) {
        long opened = 0;
        long closed = 0;
        long overLimit = 0;
        long ratePauses = 0;
        long descriptorsDropped = 0;
        long readingPauses = 0;
        for (StreamShard shard : shards) {
            opened += shard.context().openedCount();
            closed += shard.context().closedCount();
            overLimit += shard.context().overLimitCount();
            ratePauses += shard.context().ratePauseCount();
            descriptorsDropped += shard.context().descriptorsDroppedCount();
            readingPauses += shard.context().readingPauseCount();
        }
        return new StreamCounters(opened, closed, overLimit, ratePauses, descriptorsDropped, readingPauses);
    }

    /** Connections that were closed because of a limit. */
    static ClosedAtLimits closedAtLimits(List<? extends StreamShard> shards) {
        return shards.stream()
                .map(shard -> shard.context().closedAtLimits())
                .reduce(ClosedAtLimits.NONE, ClosedAtLimits::plus);
    }

    /** Connections and bytes, and their limits. */
    static ReactorUse use(List<? extends StreamShard> shards) {
        StreamLimits limits = shards.get(0).context().limits();
        ReactorTotals totals = shards.get(0).context().totals();
        long connections = 0;
        long outbound = 0;
        long used = 0;
        for (StreamShard shard : shards) {
            connections += shard.context().standingCount();
            outbound += shard.context().chunks().outboundBytes();
            used += shard.context().chunks().usedBytes();
        }
        return new ReactorUse(
                connections,
                limits.connectionsMax(),
                outbound,
                limits.outboundMax(),
                totals.writesRefused(),
                Math.max(0, used - outbound),
                limits.unreadMax(),
                totals.unreadRefused());
    }
}
