package org.cabrank.lf.management;

import org.cabrank.lf.LeaderFollowersPool;

/** A pool in the form that JMX asks for. */
final class PoolBean implements PoolMXBean {

    private record ThreadBean(LeaderFollowersPool.ThreadStatus status) implements ThreadMXView {
        @Override
        public String getName() {
            return status.name();
        }

        @Override
        public String getState() {
            return status.state().name();
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
        public long getDepositions() {
            return status.counters().depositions();
        }
    }

    private final LeaderFollowersPool pool;

    PoolBean(LeaderFollowersPool pool) {
        this.pool = pool;
    }

    @Override
    public String getName() {
        return pool.config().name();
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }

    @Override
    public int getThreadsMax() {
        return pool.config().threads();
    }

    @Override
    public ThreadMXView[] getThreads() {
        return pool.threads().stream().map(ThreadBean::new).toArray(ThreadMXView[]::new);
    }

    @Override
    public String getPromotion() {
        return pool.config().promotion().toString();
    }

    @Override
    public String getOrder() {
        return pool.config().order().toString();
    }

    @Override
    public String getWaiting() {
        return pool.config().waiting().toString();
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
    public long getDepositions() {
        return pool.counters().depositions();
    }

    @Override
    public long getGapsOverLimit() {
        return pool.counters().gapsOverLimit();
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
    public long getQueueFull() {
        return pool.counters().queueFull();
    }
}
