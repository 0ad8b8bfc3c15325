package org.cabrank.lf;

import java.time.Duration;
import java.util.Objects;
import org.cabrank.lf.leadership.Deadlines;

record DeferredPromotion(Duration maxGap) implements Promotion {
    static final Duration MAX_GAP_DEFAULT = Duration.ofMillis(2);
    private static final Duration MIN = Duration.ofNanos(10_000);
    private static final Duration MAX = Duration.ofSeconds(1);

    DeferredPromotion {
        Objects.requireNonNull(maxGap, "maxGap");
        if (maxGap.compareTo(MIN) < 0 || maxGap.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("maxGap must be from 10us to 1s, but is " + maxGap);
        }
    }

    @Override
    public String label() {
        return "deferred";
    }

    @Override
    public String description() {
        return "when an event takes longer than the largest gap, 2 ms by default";
    }

    @Override
    public String toString() {
        return "deferred(" + Deadlines.ns(maxGap) / 1000 + "us)";
    }
}
