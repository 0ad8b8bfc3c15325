package org.cabrank.lf.leadership;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** One of many threads that wait in the same handle set; the kernel chooses which of them gets an event. */
public final class KernelTurn<H> implements Turn {
    private final Supplier<? extends EventSource<H>> newSource;

    /** Event sources, indexed by thread number. A number that is assigned again keeps its source and the source's counters. */
    private final List<EventSource<H>> sources;

    /** @param threads the largest number of a thread */
    public KernelTurn(Supplier<? extends EventSource<H>> newSource, int threads) {
        this.newSource = newSource;
        this.sources = new ArrayList<>(Collections.nCopies(threads + 1, null));
    }

    @Override
    public Outcome lead(Candidate me, long deadlineNs) throws IOException {
        EventSource<H> events = eventsOf(me);
        try {
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
        } finally {
            events.leaveBesideOthers();
        }
    }

    /** Only the thread with this number touches its place, and the lock of the pool's members orders those that have it in turn. */
    private EventSource<H> eventsOf(Candidate me) {
        if (sources.get(me.id) == null) {
            sources.set(me.id, newSource.get());
        }
        return sources.get(me.id);
    }
}
