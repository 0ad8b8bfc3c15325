package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.handle.Choice;

/** The moment at which leadership passes to a follower. */
public sealed interface Promotion extends Choice permits DeferredPromotion, EagerPromotion {

    /** The policies that a user can choose by label, with default settings. */
    static List<Promotion> values() {
        return List.of(eager(), deferred());
    }

    /** The policy of POSA2: the leader promotes a follower before it processes each event. */
    static Promotion eager() {
        return new EagerPromotion();
    }

    /**
     * The leader processes the event itself, and a follower takes over only if the handler takes long. So a short handler costs no wake-up.
     * While a slow handler runs, the handle set may be unwatched for {@code maxGap}, plus the time that the scheduler takes to run two
     * threads.
     *
     * <p>One thread of the reactor, the <em>watcher</em>, checks the leaders of all its pools twice in each {@code maxGap}. A leader is
     * replaced at once if its Java thread state shows that its handler waits. Any other leader is replaced if it has processed the same
     * event for half of {@code maxGap}. If the watcher has found a blocked leader, it checks more often for some time, and asks the kernel
     * which leaders are blocked. While leaders wait for events, the watcher rests.
     *
     * @param maxGap from 10 µs to 1 s
     */
    static Promotion deferred(Duration maxGap) {
        return new DeferredPromotion(maxGap);
    }

    /** Returns {@link #deferred(Duration)} with a {@code maxGap} of 2 ms. */
    static Promotion deferred() {
        return new DeferredPromotion(DeferredPromotion.MAX_GAP_DEFAULT);
    }
}
