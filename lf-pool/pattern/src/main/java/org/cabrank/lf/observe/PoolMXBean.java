package org.cabrank.lf.observe;

import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;

/**
 * A pool as JMX shows it: {@code org.cabrank:type=Pool,name=...}. Every attribute is read without a lock; counts are since
 * the pool was made, see {@link PoolCounters}.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface PoolMXBean {

    /** A thread that takes part; see {@link ThreadStatus}. */
    interface ThreadMXView {
        String getName();

        /** Leader, processing or follower. */
        String getState();

        /** See {@link ThreadStatus#set}. */
        int getSet();

        /** See {@link ThreadStatus#owner}. */
        boolean isOwner();

        /** Handlers that it has run since it joined. */
        long getProcessed();

        /** Number of times it has passed leadership on to process, since it joined. */
        long getPromotions();

        /** Number of times it has taken leadership over from a slow leader, since it joined. */
        long getTakeovers();
    }

    /** The name in the pool's configuration. */
    String getName();

    /** Returns true if it was stopped and every thread has left. */
    boolean isTerminated();

    /** Maximum number of participating threads. */
    int getThreadsMax();

    ThreadMXView[] getThreads();

    /** Description of the promotion policy. */
    String getPromotion();

    /** Description of the promotion order. */
    String getOrder();

    /** Description of the way in which leaders and followers wait. */
    String getWaiting();

    /** Handles registered at this moment, of all handle sets. */
    int getHandles();

    /** See {@link PoolCounters#detected}. */
    long getDetected();

    /** See {@link PoolCounters#processed}. */
    long getProcessed();

    /** See {@link PoolCounters#eagerPromotions}. */
    long getEagerPromotions();

    /** See {@link PoolCounters#handlerPromotions}. */
    long getHandlerPromotions();

    /** See {@link PoolCounters#leavingPromotions}. */
    long getLeavingPromotions();

    /** See {@link PoolCounters#returnPromotions}. */
    long getReturnPromotions();

    /** See {@link PoolCounters#takeovers}. */
    long getTakeovers();

    /** See {@link PoolCounters#gapsOverLimit}. */
    long getGapsOverLimit();

    /** See {@link PoolCounters#largestGapNs}. */
    long getLargestGapNs();

    /** See {@link PoolCounters#claimedAndMore}. */
    long getClaimedAndMore();

    /** See {@link PoolCounters#staleEvents}. */
    long getStaleEvents();

    /** See {@link PoolCounters#nestedWaits}. */
    long getNestedWaits();

    /** See {@link PoolCounters#nestingRefusals}. */
    long getNestingRefusals();

    /** See {@link PoolCounters#failures}. */
    long getFailures();

    /** See {@link org.cabrank.lf.HandleSet#kernelRetryCount}; of all handle sets. */
    long getKernelRetries();

    /** See {@link LeaderFollowersPool#liveness}, with {@link Liveness#LIMIT_DEFAULT}: each reading is a probe. */
    boolean isLive();

    /** The reasons, if the pool is not live; each reading is a probe. */
    String[] getLivenessProblems();

    /** The failure that stopped the pool, with its class; null: the pool has not failed. */
    String getFailure();

    /** See {@link PoolCounters#queueFull}. */
    long getQueueFull();

    /** See {@link PoolCounters#threadsAdded}. */
    long getThreadsAdded();

    /** See {@link PoolCounters#threadsEnded}. */
    long getThreadsEnded();

    /** See {@link PoolCounters#threadsRefused}. */
    long getThreadsRefused();

    /** See {@link LeadershipCounters#handOvers}. */
    long getHandOvers();

    /** See {@link LeadershipCounters#handOverWaitNs}. */
    long getHandOverWaitNs();

    /** See {@link LeadershipCounters#failedTakeovers}. */
    long getFailedTakeovers();

    /** See {@link LeadershipCounters#wakeups}. */
    long getWakeups();

    /** See {@link LeadershipCounters#lockWaits}. */
    long getLockWaits();

    /** See {@link PoolConfig#latencyMeasured}: if not, what follows is 0 or empty. */
    boolean isLatencyMeasured();

    /** See {@link LatencyCounters#events}. */
    long getLatencyEvents();

    /** See {@link LatencyCounters#percentileNs}; since the pool was made, like the other percentiles. */
    long getLatencyP50Ns();

    long getLatencyP90Ns();

    long getLatencyP99Ns();

    long getLatencyP999Ns();

    long getLatencyMaxNs();

    /**
     * Returns the end of each bucket in ns: {@link LatencyCounters#bucketEndNs}. A client computes the percentiles of an interval
     * from {@link #getLatencyBuckets} at its beginning and at its end.
     */
    long[] getLatencyBucketEndsNs();

    /** Returns the number of events of each bucket: {@link LatencyCounters#bucket}. */
    long[] getLatencyBuckets();

    /** Returns true if the promotion word is contended, over the pool's whole life: see {@link Contention}. */
    boolean isContended();

    /** Description of the {@link Contention}, with the remedy. */
    String getContention();
}
