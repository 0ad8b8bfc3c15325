package org.cabrank.lf.leadership;

import java.io.IOException;

/** The turn of the only thread of a pool. It works like a plain reactor. */
public final class SoloTurn<H> implements Turn {
    private final EventSource<H> events;

    public SoloTurn(EventSource<H> events) {
        this.events = events;
    }

    @Override
    public Outcome lead(Candidate me, long deadlineNs) throws IOException {
        for (; ; ) {
            for (H handle = events.next(me, deadlineNs); handle != null; handle = events.next(me, deadlineNs)) {
                me.processing = true;
                events.process(me, handle, events.claimedReady());
                me.processing = false;
            }
            Outcome end = events.mustLeave(me, deadlineNs);
            if (end != null) {
                return end;
            }
            events.detect(me, deadlineNs);
        }
    }
}
