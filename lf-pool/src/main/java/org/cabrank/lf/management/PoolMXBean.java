package org.cabrank.lf.management;

import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolCounters;

/**
 * A pool as JMX shows it: {@code org.cabrank:type=Pool,name=...}. Every attribute is read without a lock; counts are since
 * the pool was made, see {@link PoolCounters}.
 */
public interface PoolMXBean {

    /** A thread that takes part; see {@link LeaderFollowersPool.ThreadStatus}. */
    interface ThreadMXView {
        String getName();

        /** Leader, processing or follower. */
        String getState();

        /** Handlers that it has run since it joined. */
        long getProcessed();

        /** How often it has passed leadership on to process, since it joined. */
        long getPromotions();

        /** How often it has taken leadership over from a slow leader, since it joined. */
        long getDepositions();
    }

    /** The name in the pool's configuration. */
    String getName();

    /** Whether it was stopped and every thread has left. */
    boolean isTerminated();

    /** How many threads take part at most. */
    int getThreadsMax();

    ThreadMXView[] getThreads();

    /** When leadership passes on, in words. */
    String getPromotion();

    /** Which follower leads next, in words. */
    String getOrder();

    /** How leaders and followers wait, in words. */
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

    /** See {@link PoolCounters#depositions}. */
    long getDepositions();

    /** See {@link PoolCounters#gapsOverLimit}. */
    long getGapsOverLimit();

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

    /** See {@link PoolCounters#queueFull}. */
    long getQueueFull();
}
