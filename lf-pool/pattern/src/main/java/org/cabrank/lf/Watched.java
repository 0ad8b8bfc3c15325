package org.cabrank.lf;

import java.time.Duration;
import java.util.List;

/** A pool as those see it who look at its threads from outside. Any thread, without locks. */
interface Watched {

    /** What a thread that takes part has in hand. */
    interface Progress {
        Thread thread();

        /** Whether the thread is in an event handler. */
        boolean isProcessingOpaque();

        /** Handlers that have come to their end: as long as it stays the same, the handler is the same. */
        long processedOpaque();
    }

    String name();

    /** The threads that take part; the same object as long as the same participation lasts. */
    List<? extends Progress> progress();

    /** The handle whose handler the thread runs, in words. */
    String describeWork(Progress thread);

    /** See {@link LeaderFollowersPool#liveness}. */
    default Liveness liveness(Duration limit) {
        return Liveness.LIVE;
    }

    boolean isTerminated();
}
