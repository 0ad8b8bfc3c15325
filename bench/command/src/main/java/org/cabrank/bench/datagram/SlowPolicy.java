package org.cabrank.bench.datagram;

import java.util.Locale;

/** Outcome for a subscriber whose queue is full. */
public enum SlowPolicy {
    /** The oldest frames of the queue are dropped: the subscriber stays near the present, with gaps. */
    DROP_OLDEST("drop the oldest frames of its queue"),
    /** The new frame is dropped: the subscriber gets what is queued, then a gap. */
    DROP_NEWEST("drop the new frame"),
    /** The connection is reset: the subscriber connects again, or fetches the present state elsewhere. */
    DISCONNECT("reset its connection");

    private final String description;

    SlowPolicy(String description) {
        this.description = description;
    }

    /** Returns a description for a list of choices. */
    public String description() {
        return description;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
