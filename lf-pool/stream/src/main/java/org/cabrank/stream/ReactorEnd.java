package org.cabrank.stream;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.ShardedLeaderFollowers;
import org.cabrank.lf.Timers;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamShard;

/** @param handlerTimeout time that the threads have to end, even if less is left of the drain time-out */
record ReactorEnd(
        StreamBackend backend,
        ShardedLeaderFollowers pools,
        Duration drainGrace,
        Duration drainTimeout,
        Duration handlerTimeout,
        ReactorFailure failure) {
    private static final System.Logger LOGGER = System.getLogger(StreamReactor.class.getName());

    private static final long DRAIN_LOOK_NS = 1_000_000;

    private static final Duration LOOK_FOR_LAST_HANDLER = Duration.ofHours(1);

    /** Called by a thread that belongs to none of the pools. */
    void bringAbout() {
        long begunNs = System.nanoTime();
        Duration rest = handlerTimeout;
        if (failure.isNone()) {
            drain(begunNs);
        }
        if (failure.isNone() && awaitDrained(begunNs + Timers.delayNs(drainTimeout))) {
            pools.stop();
            Duration left = drainTimeout.minusNanos(System.nanoTime() - begunNs);
            rest = left.compareTo(rest) > 0 ? left : rest;
        } else {
            pools.stopNow(); // other connections are reset, so no thread waits for offloaded work
        }
        boolean threadsGone = awaitTermination(rest);
        if (!failure.isNone()) {
            backend.shards().forEach(shard -> shard.context().failedWith(failure.first()));
        }
        if (threadsGone) {
            backend.close();
        } else {
            cutOff();
        }
    }

    private boolean awaitTermination(Duration timeout) {
        boolean interrupted = Thread.interrupted();
        long deadlineNs = System.nanoTime() + Timers.delayNs(timeout);
        while (!pools.isTerminated() && System.nanoTime() - deadlineNs < 0) {
            try {
                pools.awaitTermination(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return pools.isTerminated();
    }

    private void cutOff() {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "a handler has not returned, or a read of a file has not ended, within " + handlerTimeout
                        + " after the drain: connections are reset and listeners closed; threads and descriptors are given"
                        + " back when the handler returns, or the read ends");
        backend.shards().forEach(StreamShard::cutOff);
        Thread last = new Thread(this::closeWhenHandlersHaveReturned, "cabrank-last-handler");
        last.setDaemon(true); // a handler that never returns does not keep the process alive
        last.start();
    }

    private void closeWhenHandlersHaveReturned() {
        boolean gone = false;
        while (!gone) {
            gone = awaitTermination(LOOK_FOR_LAST_HANDLER);
        }
        backend.close();
    }

    private void drain(long begunNs) {
        boolean grace = !drainGrace.isZero();
        backend.shards().forEach(shard -> shard.context().drainGrace(grace));
        backend.shards().forEach(StreamShard::drain);
        if (grace) {
            awaitStreams(begunNs + Timers.delayNs(drainGrace));
            backend.shards().forEach(shard -> shard.context().drainGrace(false));
            backend.shards().forEach(StreamShard::drain);
        }
    }

    private boolean awaitDrained(long deadlineNs) {
        int left = awaitStreams(deadlineNs);
        if (left > 0) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    left + " connections were not done within " + drainTimeout + " and are reset");
        }
        return left == 0;
    }

    /** Polls, because a notification on every close would cost more. Ends early if the pools have ended. */
    private int awaitStreams(long deadlineNs) {
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
        return left;
    }

    /** Counts twice before it returns 0, because a connection may have moved to a shard that was already counted. */
    private int streamCount() {
        int first = backend.shards().stream().mapToInt(StreamShard::streamCount).sum();
        return first != 0
                ? first
                : backend.shards().stream().mapToInt(StreamShard::streamCount).sum();
    }
}
