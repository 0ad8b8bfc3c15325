package org.cabrank.lf.leadership;

import java.io.IOException;

/** The turn of POSA2: claims an event, promotes a follower, processes the event. */
public final class EagerTurn<H> implements Turn {
    private final int set;
    private final EventSource<H> events;
    private final LeadershipWord word;
    private final Followers followers;

    public EagerTurn(int set, EventSource<H> events, LeadershipWord word, Followers followers) {
        this.set = set;
        this.events = events;
        this.word = word;
        this.followers = followers;
    }

    @Override
    public Outcome lead(Candidate me, long deadlineNs) throws IOException {
        for (; ; ) {
            H handle = events.next(me, deadlineNs);
            if (handle != null) {
                int ready = events.claimedReady();
                me.processing = true;
                followers.handOver(set, 1);
                events.process(me, handle, ready);
                me.processing = false;
                events.submitRequests();
                return Outcome.PASSED_ON;
            }
            Outcome end = events.mustLeave(me, deadlineNs);
            if (end != null) {
                followers.handOver(set, 0);
                return end;
            }
            word.beginDetectingRelease();
            try {
                events.detect(me, deadlineNs);
            } finally {
                word.endDetectingVolatile();
            }
        }
    }
}
