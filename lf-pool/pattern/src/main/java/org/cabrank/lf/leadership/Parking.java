package org.cabrank.lf.leadership;

import java.util.concurrent.locks.LockSupport;

/** The sleep of followers, and the clock. In tests both are virtual. */
public interface Parking {
    long nanoTime();

    /** Sleeps until {@link #unpark}, at most {@code nanos} ({@link Deadlines#FOREVER}); may return early. */
    void park(Object blocker, long nanos);

    void unpark(Thread thread);

    /** Returns true if the Java state of {@code member} is a wait. Almost free, but does not see a wait inside a system call. */
    default boolean isWaiting(Candidate member) {
        return false;
    }

    /** Returns true if {@code member} is blocked, neither running nor runnable; also if this is unknown. Allocates. */
    default boolean isBlocked(Candidate member) {
        return true;
    }

    Parking SYSTEM = new Parking() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            if (nanos == Deadlines.FOREVER) {
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
        public boolean isWaiting(Candidate member) {
            return member.isWaiting();
        }

        @Override
        public boolean isBlocked(Candidate member) {
            return member.isBlocked();
        }
    };
}
