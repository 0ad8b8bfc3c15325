package org.cabrank.bench.handler;

import java.util.Locale;

/** Way in which the handler of a slow request keeps its thread. Safe for use by any thread. */
public enum BlockingWay {

    /** Parks, as while waiting for a database: a virtual thread unmounts. */
    PARK {
        @Override
        void block(long timeNs) {
            SlowRequests.park(timeNs);
        }
    },

    /** Sleeps in a call into C, as a driver over JNI does: the carrier of a virtual thread sleeps with it. */
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

    /** Computes for the given amount of CPU time. */
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

    /** Enters a monitor that another thread holds. A virtual thread unmounts from JDK 24 on; earlier it pins its carrier (JEP 491). */
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

    /** Keeps the calling thread for at least {@code timeNs}, or until it is interrupted if the way permits. */
    abstract void block(long timeNs);

    /** Loads, calibrates or starts what the first {@link #block} needs. */
    void prepare(long timeNs) {
        // Most ways need nothing.
    }

    /** Returns the name on the command line and in reports, such as {@code native}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
