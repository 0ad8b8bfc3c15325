package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Liveness;

/** The part of a pool that a {@link Watchdog} uses. Any thread may call any method. No method takes a lock that a pool thread takes. */
interface WatchedPool {

    /** A participating thread. The object stays the same as long as the thread takes part. */
    interface Progress {
        Thread thread();

        boolean isProcessingOpaque();

        /** Number of handlers that have ended. While the number is unchanged, the running handler is the same. */
        long processedOpaque();
    }

    String name();

    List<? extends Progress> progress();

    String describeWork(Progress thread);

    default Liveness liveness(Duration limit) {
        return Liveness.LIVE;
    }

    boolean isTerminated();
}
