package org.cabrank.lf.leadership;

import java.util.concurrent.locks.LockSupport;

/** Puts followers to sleep and wakes them, and reads the clock. Tests use a virtual implementation. */
public interface Parking {
    long nanoTime();

    /** Sleeps until {@link #unpark}, but at most {@code nanos} ns. May return early. {@link Deadlines#FOREVER} means no limit. */
    void park(Object blocker, long nanos);

    void unpark(Thread thread);

    /** Returns true if the Java state of {@code member} is a wait. Costs almost nothing, but does not see a wait inside a system call. */
    default boolean isWaiting(Candidate member) {
        return false;
    }

    /** Returns true if {@code member} is neither running nor runnable, or if this is not known. Allocates memory. */
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
