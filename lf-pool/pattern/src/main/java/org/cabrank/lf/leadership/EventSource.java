package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * The events of one handle set as a {@link Turn} takes them. Called by the thread that watches the set.
 *
 * @param <H> a claimed handle
 */
public interface EventSource<H> {
    /**
     * Claims the next handle that is ready.
     *
     * @param deadlineNs end of the caller's turn
     * @return null: nothing is ready, or the caller has nothing more to do
     */
    H next(Candidate me, long deadlineNs);

    int claimedReady();

    void process(Candidate me, H claimed, int ready);

    Turn.Outcome mustLeave(Candidate me, long deadlineNs);

    void detect(Candidate me, long deadlineNs) throws IOException;

    /** Returns a probe of the calling thread for the watcher: true if the thread is blocked, neither running nor runnable. */
    BooleanSupplier newThreadProbe();

    /** Submits the requests that handlers have made of the kernel. Called by a thread that does not wait in the set next. */
    void submitRequests();
}
