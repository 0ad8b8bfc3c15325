package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import org.cabrank.iouring.RingHandleSet;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.figures.Figures;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.StreamReactor;

/** Meters of a reactor's rings (tags {@code pool} and {@code set}). Needs the io_uring module. Safe for use by any thread. */
public final class RingMetrics implements MeterBinder {
    private static final Figures<RingHandleSet> FIGURES = new Figures<RingHandleSet>("cabrank.ring.")
            .counter(
                    "StaleCompletions",
                    "completions.stale",
                    "Completions of requests of handles that were closed before",
                    RingHandleSet::staleCompletions)
            .counter(
                    "ReceivesStarved",
                    "receives.starved",
                    "Receives that have ended because all receive buffers were in use",
                    RingHandleSet::receivesStarved);

    private final StreamReactor reactor;
    private final Tags tags;

    public RingMetrics(StreamReactor reactor, Iterable<Tag> tags) {
        this.reactor = Objects.requireNonNull(reactor, "reactor");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        for (LeaderFollowersPool pool : reactor.pools()) {
            int index = 0;
            for (HandleSet set : pool.handleSets()) {
                if (set instanceof RingHandleSet ring) {
                    Tags own = tags.and("pool", pool.name(), "set", Integer.toString(index));
                    Meters.bind(registry, ring, own, FIGURES);
                }
                index++;
            }
        }
    }
}
