package org.cabrank.stream;

import java.util.List;
import java.util.function.ToLongFunction;
import org.cabrank.stream.transport.ReactorTotals;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.StreamCount;
import org.cabrank.stream.transport.StreamShard;

record ReactorCounts(List<? extends StreamShard> shards) {
    private long sum(ToLongFunction<StreamContext> of) {
        return shards.stream()
                .mapToLong(shard -> of.applyAsLong(shard.context()))
                .sum();
    }

    private long sum(StreamCount of) {
        return sum(context -> context.sum(of));
    }

    StreamCounters outcomes() {
        return new StreamCounters(
                sum(StreamCount.OPENED) + sum(StreamCount.GUEST_OPENED),
                sum(StreamCount.CLOSED) + sum(StreamCount.GUEST_CLOSED),
                sum(StreamCount.OVER_LIMIT),
                sum(StreamCount.RATE_PAUSED),
                sum(StreamCount.DESCRIPTOR_DROPPED),
                sum(StreamCount.READING_PAUSED),
                sum(StreamCount.IDLE),
                sum(StreamCount.DEADLINE_PASSED),
                sum(StreamCount.CLOSING_GIVEN_UP),
                sum(StreamCount.UNREAD_LIMIT),
                sum(StreamCount.NO_MEMORY),
                sum(StreamCount.CONNECT_TIMED_OUT));
    }

    ReactorUse use() {
        StreamLimits limits = shards.get(0).context().limits();
        ReactorTotals totals = shards.get(0).context().totals();
        long outbound = sum(context -> context.chunks().outboundBytes());
        return new ReactorUse(
                sum(context -> context.standingCount() + context.guestCount()),
                totals.connections().max(),
                outbound,
                limits.outboundMax(),
                totals.writesRefused(),
                Math.max(0, sum(context -> context.chunks().usedBytes()) - outbound),
                limits.unreadMax(),
                totals.unreadRefused());
    }
}
