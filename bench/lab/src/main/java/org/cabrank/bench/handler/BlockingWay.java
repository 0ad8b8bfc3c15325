package org.cabrank.bench.handler;

import java.util.Locale;

/** Way in which the handler of a slow request blocks its thread. */
public enum BlockingWay {

    /** Parks the thread, as a wait for a database does. A virtual thread unmounts from its carrier. */
    PARK {
        @Override
        void block(long timeNs) {
            SlowRequests.park(timeNs);
        }
    },

    /** Sleeps in a call into C, as a driver over JNI may do. A virtual thread keeps its carrier during the sleep. */
    NATIVE {
        @Override
        void block(long timeNs) {
            NativeSleep.sleep(timeNs);
        }

        @Override
        void prepare(long timeNs) {
            NativeSleep.sleep(1);
        }
    },

    BURN {
        @Override
        void block(long timeNs) {
            BusyWork.lasting(timeNs).perform();
        }

        @Override
        void prepare(long timeNs) {
            BusyWork.calibration();
        }
    },

    /** Enters a monitor that another thread holds. Before JDK 24, a virtual thread keeps its carrier during this wait (JEP 491). */
    LOCK {
        @Override
        void block(long timeNs) {
            SlowPeer.enterMonitorOfOne(timeNs);
        }

        @Override
        void prepare(long timeNs) {
            SlowPeer.enterMonitorOfOne(1);
        }
    };

    /** Blocks the calling thread for at least {@code timeNs}. {@link #PARK} returns early if the thread is interrupted. */
    abstract void block(long timeNs);

    /** Loads, calibrates or starts what the first {@link #block} needs. */
    void prepare(long timeNs) {
        // Most ways need nothing.
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
