package org.cabrank.stream;

import org.cabrank.stream.management.ShardMXBean;
import org.cabrank.stream.transport.StreamShard;

/** A shard in the form that JMX asks for. */
record ShardBean(StreamShard shard) implements ShardMXBean {
    private ShardCounters counters() {
        return shard.context().counters();
    }

    @Override
    public long getConnections() {
        return counters().connections();
    }

    @Override
    public long getOpened() {
        return counters().opened();
    }

    @Override
    public long getClosed() {
        return counters().closed();
    }

    @Override
    public long getMovedIn() {
        return counters().movedIn();
    }

    @Override
    public long getMovedOut() {
        return counters().movedOut();
    }

    @Override
    public long getPassedBy() {
        return counters().passedBy();
    }

    @Override
    public long getOverLimit() {
        return shard.context().overLimitCount();
    }

    @Override
    public long getAcceptRatePauses() {
        return shard.context().ratePauseCount();
    }

    @Override
    public long getClosedIdle() {
        return shard.context().closedAtLimits().idle();
    }

    @Override
    public long getClosedAtDeadline() {
        return shard.context().closedAtLimits().deadline();
    }

    @Override
    public long getClosingGivenUp() {
        return shard.context().closedAtLimits().closing();
    }

    @Override
    public long getClosedUnread() {
        return shard.context().closedAtLimits().unread();
    }

    @Override
    public long getClosedForMemory() {
        return shard.context().closedAtLimits().memory();
    }

    @Override
    public long getConnectsTimedOut() {
        return shard.context().closedAtLimits().connecting();
    }

    @Override
    public long getReadingPauses() {
        return shard.context().readingPauseCount();
    }

    @Override
    public long getDescriptorsDropped() {
        return shard.context().descriptorsDroppedCount();
    }

    @Override
    public long getDetected() {
        return counters().detected();
    }

    @Override
    public long getReceivedBytes() {
        return counters().receivedBytes();
    }

    @Override
    public long getSentBytes() {
        return counters().sentBytes();
    }

    @Override
    public long getAcceptFailures() {
        return counters().acceptFailures();
    }

    @Override
    public long getRefused() {
        return counters().refused();
    }

    @Override
    public long getMemoryUsedBytes() {
        return shard.context().memory().usedBytes();
    }

    @Override
    public long getMemoryLimitBytes() {
        return shard.context().memory().limitBytes();
    }

    @Override
    public long getMemoryRefusals() {
        return shard.context().memory().refusals();
    }
}
