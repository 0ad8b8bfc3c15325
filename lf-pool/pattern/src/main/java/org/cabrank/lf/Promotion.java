package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.handle.Choice;

/** The moment at which leadership passes to a follower. */
public sealed interface Promotion extends Choice permits DeferredPromotion, EagerPromotion {

    /** The policies that a user can choose by label, with their defaults. */
    static List<Promotion> values() {
        return List.of(eager(), deferred());
    }

    /** POSA2's: the leader promotes a follower before it processes each event. */
    static Promotion eager() {
        return new EagerPromotion();
    }

    /**
     * The leader processes the event itself; a follower takes over when the leader stays in a handler. A short handler costs no wake-up; a
     * slow one leaves the handle set unwatched for at most {@code maxGap}, plus the time that the scheduler takes to run two threads.
     *
     * <p>One thread of the reactor, the <em>watcher</em>, looks at the leaders of all its pools twice in {@code maxGap}, without preempting
     * them. A leader that Java knows to wait in a handler is replaced at once, any other when it was seen at the same event for half of
     * {@code maxGap}. After a leader that was blocked, the watcher looks sixteen times in {@code maxGap}, for 64 {@code maxGap}, and asks
     * the kernel which leaders are blocked. It rests while leaders wait for events.
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
