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
     * The leader processes the event itself. A follower takes over when the leader stays in a handler. A short handler costs no wake-up. A
     * slow handler leaves the handle set unwatched for at most {@code maxGap}, plus the time that the scheduler takes to run two threads.
     *
     * <p>One thread of the reactor, the <em>watcher</em>, looks at the leaders of all its pools twice in {@code maxGap}, without preempting
     * them. A leader whose thread state in Java shows that its handler waits is replaced at once, any other leader when it was at the same
     * event for half of {@code maxGap}. After it has found a blocked leader, the watcher looks sixteen times in {@code maxGap}, during 64
     * {@code maxGap}, and asks the kernel which leaders are blocked. The watcher rests while leaders wait for events.
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
