package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A turn under deferred promotion. The leader processes its events itself, until it is deposed, hands over or must leave. */
public final class DeferredTurn<H> implements Turn {
    private final int set;
    private final EventSource<H> events;
    private final LeadershipWord word;
    private final Supplier<BooleanSupplier> probes;
    private final Followers followers;
    private final LeaderWatch watch;

    /** Null if the set has no regular leader. */
    private final RegularLeader regularLeader;

    public DeferredTurn(
            int set,
            EventSource<H> events,
            LeadershipWord word,
            Followers followers,
            LeaderWatch watch,
            RegularLeader regularLeader) {
        this.set = set;
        this.events = events;
        this.probes = events::newThreadProbe;
        this.word = word;
        this.followers = followers;
        this.watch = watch;
        this.regularLeader = regularLeader;
    }

    @Override
    public Outcome lead(Candidate me, long deadlineNs) throws IOException {
        me.beWatched(probes);
        watch.somebodyLeads();
        if (regularLeader == null) {
            return takeTurn(me, deadlineNs);
        }
        try {
            regularLeader.beginTurn(me);
            return takeTurn(me, deadlineNs);
        } finally {
            regularLeader.endTurn(me);
        }
    }

    private Outcome takeTurn(Candidate me, long deadlineNs) throws IOException {
        events.submitRequests(); // a deposed leader does not wait again and so has not submitted them
        for (; ; ) {
            for (H handle = events.next(me, deadlineNs); handle != null; handle = events.next(me, deadlineNs)) {
                // Read this before the phase is PROCESSING. After that, a new leader may take over, and its claims may
                // overwrite the value.
                int ready = events.claimedReady();
                long begun = word.beginProcessingRelease();
                me.begun = begun;
                me.processing = true;
                events.process(me, handle, ready);
                me.processing = false;
                if (!word.endProcessing(begun)) { // deposed
                    events.submitRequests();
                    return Outcome.PASSED_ON;
                }
            }
            Outcome end = events.mustLeave(me, deadlineNs);
            if (end != null) {
                followers.handOver(set, 0);
                return end;
            }
            if (regularLeader != null && givesBack(me)) {
                return Outcome.PASSED_ON;
            }
            word.beginDetectingRelease();
            try {
                events.detect(me, deadlineNs);
            } finally {
                word.endDetectingVolatile();
            }
            watch.somebodyLeads();
        }
    }

    /** Gives leadership back to the regular leader if it follows. That leader submits the requests that this thread has queued. */
    private boolean givesBack(Candidate me) {
        Candidate regular = regularLeader.returnedBeforeWait(me);
        return regular != null && followers.handBack(set, regular);
    }
}
