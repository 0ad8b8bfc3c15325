package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.Liveness;

/** A pool as a {@link Watchdog} sees it. Any thread may call every method; no method takes a lock that a thread of the pool takes. */
interface WatchedPool {

    /** A thread that takes part in the pool; the same object as long as the same participation lasts. */
    interface Progress {
        Thread thread();

        /** Returns true while the thread is in an event handler. */
        boolean isProcessingOpaque();

        /** Returns the number of handlers that have ended: as long as the number stays the same, so does the handler. */
        long processedOpaque();
    }

    String name();

    List<? extends Progress> progress();

    String describeWork(Progress thread);

    /** Returns the problems of the pool that have lasted for {@code limit}. */
    default Liveness liveness(Duration limit) {
        return Liveness.LIVE;
    }

    boolean isTerminated();
}
