package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The events of one handle set for a {@link Turn}; {@code H} is the type of claimed handles. Called by the thread that watches the set. */
public interface EventSource<H> {
    /** Claims the next ready handle. Returns null if none is ready, or if {@code me} must leave. {@code deadlineNs} ends the turn. */
    H next(Candidate me, long deadlineNs);

    int claimedReady();

    void process(Candidate me, H claimed, int ready);

    Turn.Outcome mustLeave(Candidate me, long deadlineNs);

    void detect(Candidate me, long deadlineNs) throws IOException;

    /** Returns a probe of the calling thread for the watcher: true while the thread is blocked, neither running nor runnable. */
    BooleanSupplier newThreadProbe();

    /** Submits handlers' requests to the kernel. Called by a thread that does not wait in the set next. */
    void submitRequests();
}
