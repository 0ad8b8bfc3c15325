package org.cabrank.lf;

import java.util.concurrent.locks.LockSupport;

/** How followers sleep and what time it is: replaced by a virtual clock in tests. */
interface Parking {
    long nanoTime();

    /** Sleeps until {@link #unpark}, at most {@code nanos} ({@link HandleSet#FOREVER}); may return early. */
    void park(Object blocker, long nanos);

    void unpark(Thread thread);

    /** Whether {@code member} waits for something else than a processor; true when it cannot be told. */
    default boolean isBlocked(Member member) {
        return true;
    }

    /** Whether Java knows that {@code member} waits: costs next to nothing, but says nothing of a wait inside a system call. */
    default boolean isWaiting(Member member) {
        return false;
    }

    Parking SYSTEM = new Parking() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            if (nanos == HandleSet.FOREVER) {
                LockSupport.park(blocker);
            } else if (nanos > 0) {
                LockSupport.parkNanos(blocker, nanos);
            }
        }

        @Override
        public void unpark(Thread thread) {
            LockSupport.unpark(thread);
        }

        @Override
        public boolean isBlocked(Member member) {
            return member.isBlocked();
        }

        @Override
        public boolean isWaiting(Member member) {
            return member.isWaiting();
        }
    };
}
