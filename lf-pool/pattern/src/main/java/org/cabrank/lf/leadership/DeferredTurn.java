package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Processes its events itself, one after the other, until it is deposed, promotes a successor, has to leave, or gives leadership back
 * to the {@link RegularLeader}. Where handlers block often, promotes before each event ({@link EarlyPromotion}).
 */
public final class DeferredTurn<H> implements Turn {
    private final int set;
    private final EventSource<H> events;
    private final LeadershipWord word;
    private final Supplier<BooleanSupplier> probes;
    private final Followers followers;
    private final EarlyPromotion early;

    /** Null: every leader is as good as any other. */
    private final RegularLeader regularLeader;

    /** Called by a thread whose leadership was taken over, when its handler has returned. Never throws. */
    private final Runnable deposed;

    /**
     * @param set the index of the set that is led
     * @param early of this set
     * @param regularLeader null: every leader is as good as any other
     * @param deposed called by a thread whose leadership was taken over, when its handler has returned; never throws
     */
    public DeferredTurn(
            int set,
            EventSource<H> events,
            LeadershipWord word,
            Followers followers,
            EarlyPromotion early,
            RegularLeader regularLeader,
            Runnable deposed) {
        this.set = set;
        this.events = events;
        this.probes = events::newThreadProbe;
        this.word = word;
        this.followers = followers;
        this.early = early;
        this.regularLeader = regularLeader;
        this.deposed = deposed;
    }

    @Override
    public Outcome lead(Candidate me, long deadlineNs) throws IOException {
        me.beWatched(probes);
        if (regularLeader != null) {
            regularLeader.beginTurn(me);
        }
        events.submitRequests(); // of a leader that was deposed, whose next wait they were meant to go with
        for (; ; ) {
            for (H handle = events.next(me, deadlineNs); handle != null; handle = events.next(me, deadlineNs)) {
                if (early.isDue(word)) {
                    processAsFormerLeader(me, handle);
                    return Outcome.PASSED_ON;
                }
                if (!processAsLeader(me, handle)) {
                    events.submitRequests();
                    deposed.run();
                    return Outcome.PASSED_ON;
                }
            }
            Outcome end = events.mustLeave(me, deadlineNs);
            if (end != null) {
                if (regularLeader != null) {
                    regularLeader.leave(me);
                }
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
            followers.wakeSleepingStandby();
        }
    }

    /** Gives leadership back to the regular leader. Queued requests of the caller go to the kernel with the next leader. */
    private boolean givesBack(Candidate me) {
        Candidate regular = regularLeader.returnedBeforeWait(me);
        return regular != null && followers.handBack(set, regular);
    }

    /** True: it still leads. */
    private boolean processAsLeader(Candidate me, H handle) {
        // Read before the word says PROCESSING: from then on a new leader's claims may overwrite it.
        int ready = events.claimedReady();
        long begun = word.beginProcessingRelease();
        me.begun = begun;
        me.processing = true;
        events.process(me, handle, ready);
        me.processing = false;
        return word.endProcessing(begun);
    }

    /** Promotes a follower first. */
    private void processAsFormerLeader(Candidate me, H handle) {
        int ready = events.claimedReady(); // before leadership is gone, as in processAsLeader
        me.begun = 0;
        me.processing = true;
        followers.handOver(set, 1);
        long beganNs = followers.nowNs();
        events.process(me, handle, ready);
        me.processing = false;
        early.processed(followers.nowNs() - beganNs);
        events.submitRequests();
    }
}
