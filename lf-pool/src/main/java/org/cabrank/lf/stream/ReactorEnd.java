package org.cabrank.lf.stream;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.ShardedLeaderFollowers;
import org.cabrank.lf.stream.spi.StreamBackend;
import org.cabrank.lf.stream.spi.StreamShard;

/** How a reactor comes to its end: drained as far as its time goes, its threads left, its descriptors given back. */
final class ReactorEnd {
    private static final System.Logger LOGGER = System.getLogger(StreamReactor.class.getName());

    /**
     * Named bound: what threads may take to leave where draining has left them less. On a busy machine one may stand still for
     * a second before it comes to see that it is to leave; descriptors that are left behind cost more than the wait.
     */
    private static final Duration LAST_HANDLERS = Duration.ofSeconds(5);

    private static final long DRAIN_LOOK_NS = 1_000_000;

    private final StreamBackend backend;
    private final ShardedLeaderFollowers pools;
    private final Duration drainTimeout;
    private final ReactorFailure failure;

    ReactorEnd(StreamBackend backend, ShardedLeaderFollowers pools, Duration drainTimeout, ReactorFailure failure) {
        this.failure = failure;
        this.backend = backend;
        this.pools = pools;
        this.drainTimeout = drainTimeout;
    }

    /** By a thread that is none of the pools'. */
    void bringAbout() {
        long begunNs = System.nanoTime();
        Duration rest = LAST_HANDLERS;
        if (failure.isNone()) {
            backend.shards().forEach(StreamShard::drain);
        }
        if (failure.isNone() && awaitDrained()) {
            pools.stop();
            Duration left = drainTimeout.minusNanos(System.nanoTime() - begunNs);
            rest = left.compareTo(rest) > 0 ? left : rest;
        } else {
            pools.stopNow(); // what is left is reset, so nobody waits for what its handlers have handed away
        }
        boolean threadsGone = ReactorPools.awaitTermination(pools, rest);
        if (!failure.isNone()) {
            backend.shards().forEach(shard -> shard.context().failedWith(failure.first()));
        }
        if (threadsGone) {
            backend.close();
        } else {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a handler has not come to its end; its thread and its descriptors are left behind");
        }
    }

    /** The end of a service, once: looking every millisecond costs less than a notification on every close. */
    private boolean awaitDrained() {
        long deadlineNs = System.nanoTime() + drainTimeout.toNanos();
        int left = streamCount();
        while (left > 0 && System.nanoTime() - deadlineNs < 0 && !pools.isTerminated() && failure.isNone()) {
            LockSupport.parkNanos(this, DRAIN_LOOK_NS);
            if (Thread.interrupted()) {
                LOGGER.log(System.Logger.Level.WARNING, "draining was interrupted");
                Thread.currentThread().interrupt();
                break;
            }
            left = streamCount();
        }
        if (left > 0) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    left + " connections were not done within " + drainTimeout + " and are reset");
        }
        return left == 0;
    }

    /**
     * Counts twice before it answers 0: a connection that was just being moved has come to its shard before it left the other,
     * but perhaps behind the back of the first count. While draining none is moved anew.
     */
    private int streamCount() {
        int first = backend.shards().stream().mapToInt(StreamShard::streamCount).sum();
        return first != 0
                ? first
                : backend.shards().stream().mapToInt(StreamShard::streamCount).sum();
    }
}
