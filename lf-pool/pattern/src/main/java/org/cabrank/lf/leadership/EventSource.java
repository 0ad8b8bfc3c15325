package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The events of one handle set for a {@link Turn}. Called by the thread that watches the set. */
public interface EventSource<H> {
    /** Claims the next ready handle. Returns null if no handle is ready, if {@code me} must leave, or if {@code deadlineNs} has passed. */
    H next(Candidate me, long deadlineNs);

    int claimedReady();

    void process(Candidate me, H claimed, int ready);

    Turn.Outcome mustLeave(Candidate me, long deadlineNs);

    void detect(Candidate me, long deadlineNs) throws IOException;

    /** Returns a probe for the watcher. It is true while the thread that calls this method is neither running nor runnable. */
    BooleanSupplier newThreadProbe();

    /** Submits the requests of handlers. A wait also submits them, so this is called by a thread that will not wait in the set. */
    void submitRequests();
}
