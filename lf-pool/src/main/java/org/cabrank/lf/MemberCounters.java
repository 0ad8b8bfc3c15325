package org.cabrank.lf;

/**
 * What the threads that have a number in a pool, one after the other, have done. Kept when a thread leaves, so that the
 * pool's counts can be read without a lock and never fall. Written by the thread that has the number.
 */
final class MemberCounters {
    final Counter processed = new Counter();
    final Counter eagerPromotions = new Counter();
    final Counter handlerPromotions = new Counter();
    final Counter leavingPromotions = new Counter();
    final Counter depositions = new Counter();
    final Counter gapsOverLimit = new Counter();
    final Counter nestedWaits = new Counter();
    final Counter nestingRefusals = new Counter();

    /** For a thread: what it has done since it had the number, if this is what had been counted then. */
    ThreadCounters since(ThreadCounters then) {
        ThreadCounters now = now();
        return new ThreadCounters(
                now.processed() - then.processed(),
                now.promotions() - then.promotions(),
                now.depositions() - then.depositions());
    }

    ThreadCounters now() {
        return new ThreadCounters(
                processed.valueOpaque(),
                eagerPromotions.valueOpaque() + handlerPromotions.valueOpaque() + leavingPromotions.valueOpaque(),
                depositions.valueOpaque());
    }
}
