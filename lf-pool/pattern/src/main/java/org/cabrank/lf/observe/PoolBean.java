package org.cabrank.lf.observe;

import java.util.stream.IntStream;
import org.cabrank.lf.failure.FailureLog;

/** A pool in the form that JMX asks for. */
final class PoolBean implements PoolMXBean {

    private record ThreadBean(ThreadStatus status) implements ThreadMXView {
        @Override
        public String getName() {
            return status.name();
        }

        @Override
        public String getState() {
            return status.state().name();
        }

        @Override
        public int getSet() {
            return status.set();
        }

        @Override
        public boolean isOwner() {
            return status.owner();
        }

        @Override
        public long getProcessed() {
            return status.counters().processed();
        }

        @Override
        public long getPromotions() {
            return status.counters().promotions();
        }

        @Override
        public long getTakeovers() {
            return status.counters().takeovers();
        }
    }

    private final ObservedPool pool;

    PoolBean(ObservedPool pool) {
        this.pool = pool;
    }

    @Override
    public String getName() {
        return pool.name();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public int getThreadsMax() {
        return pool.settings().threads();
    }

    @Override
    public ThreadMXView[] getThreads() {
        return pool.threads().stream().map(ThreadBean::new).toArray(ThreadMXView[]::new);
    }

    @Override
    public String getPromotion() {
        return pool.settings().promotion();
    }

    @Override
    public String getOrder() {
        return pool.settings().order();
    }

    @Override
    public String getWaiting() {
        return pool.settings().waiting();
    }

    @Override
    public int getHandles() {
        return pool.handleCount();
    }

    @Override
    public long getDetected() {
        return pool.counters().detected();
    }

    @Override
    public long getProcessed() {
        return pool.counters().processed();
    }

    @Override
    public long getEagerPromotions() {
        return pool.counters().eagerPromotions();
    }

    @Override
    public long getHandlerPromotions() {
        return pool.counters().handlerPromotions();
    }

    @Override
    public long getLeavingPromotions() {
        return pool.counters().leavingPromotions();
    }

    @Override
    public long getReturnPromotions() {
        return pool.counters().returnPromotions();
    }

    @Override
    public long getTakeovers() {
        return pool.counters().takeovers();
    }

    @Override
    public long getGapsOverLimit() {
        return pool.counters().gapsOverLimit();
    }

    @Override
    public long getLargestGapNs() {
        return pool.counters().largestGapNs();
    }

    @Override
    public long getClaimedAndMore() {
        return pool.counters().claimedAndMore();
    }

    @Override
    public long getStaleEvents() {
        return pool.counters().staleEvents();
    }

    @Override
    public long getNestedWaits() {
        return pool.counters().nestedWaits();
    }

    @Override
    public long getNestingRefusals() {
        return pool.counters().nestingRefusals();
    }

    @Override
    public long getFailures() {
        return pool.counters().failures();
    }

    @Override
    public long getKernelRetries() {
        return pool.kernelRetries();
    }

    @Override
    public String getFailure() {
        Throwable failure = pool.failure();
        return failure == null ? null : FailureLog.name(failure);
    }

    @Override
    public long getQueueFull() {
        return pool.counters().queueFull();
    }

    @Override
    public long getThreadsAdded() {
        return pool.counters().threadsAdded();
    }

    @Override
    public long getThreadsEnded() {
        return pool.counters().threadsEnded();
    }

    @Override
    public long getThreadsRefused() {
        return pool.counters().threadsRefused();
    }

    @Override
    public long getHandOvers() {
        return pool.leadershipCounters().handOvers();
    }

    @Override
    public long getHandOverWaitNs() {
        return pool.leadershipCounters().handOverWaitNs();
    }

    @Override
    public long getFailedTakeovers() {
        return pool.leadershipCounters().failedTakeovers();
    }

    @Override
    public long getWakeups() {
        return pool.leadershipCounters().wakeups();
    }

    @Override
    public long getLockWaits() {
        return pool.leadershipCounters().lockWaits();
    }

    @Override
    public boolean isLatencyMeasured() {
        return pool.settings().latencyMeasured();
    }

    @Override
    public long getLatencyEvents() {
        return pool.latencyCounters().events();
    }

    @Override
    public long getLatencyP50Ns() {
        return pool.latencyCounters().percentileNs(50);
    }

    @Override
    public long getLatencyP90Ns() {
        return pool.latencyCounters().percentileNs(90);
    }

    @Override
    public long getLatencyP99Ns() {
        return pool.latencyCounters().percentileNs(99);
    }

    @Override
    public long getLatencyP999Ns() {
        return pool.latencyCounters().percentileNs(99.9);
    }

    @Override
    public long getLatencyMaxNs() {
        return pool.latencyCounters().percentileNs(100);
    }

    @Override
    public long[] getLatencyBucketEndsNs() {
        return IntStream.range(0, pool.latencyCounters().buckets())
                .mapToLong(LatencyCounters::bucketEndNs)
                .toArray();
    }

    @Override
    public long[] getLatencyBuckets() {
        LatencyCounters counters = pool.latencyCounters();
        return IntStream.range(0, counters.buckets())
                .mapToLong(counters::bucket)
                .toArray();
    }

    @Override
    public boolean isLive() {
        return pool.liveness(Liveness.LIMIT_DEFAULT).isLive();
    }

    @Override
    public String[] getLivenessProblems() {
        return pool.liveness(Liveness.LIMIT_DEFAULT).problems().stream()
                .map(Liveness.Problem::reason)
                .toArray(String[]::new);
    }

    @Override
    public boolean isContended() {
        return pool.contention().contended();
    }

    @Override
    public String getContention() {
        return pool.contention().toString();
    }
}
