package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Liveness;

/** A pool as a {@link Watchdog} sees it. Any thread; no method takes a lock that a pool thread takes. */
interface WatchedPool {

    /** A participating thread; the same object as long as the participation lasts. */
    interface Progress {
        Thread thread();

        boolean isProcessingOpaque();

        /** Number of ended handlers: while it is unchanged, so is the running handler. */
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
