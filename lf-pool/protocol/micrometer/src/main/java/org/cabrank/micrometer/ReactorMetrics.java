package org.cabrank.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.figures.Figures;
import org.cabrank.lf.figures.PoolFigures;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.figures.ReactorFigures;

/**
 * Meters of a reactor's pools, shards, connections, memory and histograms (tags {@code pool}, {@code shard}, {@code histogram}). Safe for
 * use by any thread.
 */
public final class ReactorMetrics implements MeterBinder {
    private final StreamReactor reactor;
    private final Tags tags;

    /** @param tags tags of all meters. If a process has several reactors, each reactor needs different tags. */
    public ReactorMetrics(StreamReactor reactor, Iterable<Tag> tags) {
        this.reactor = Objects.requireNonNull(reactor, "reactor");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters.bind(registry, reactor, tags, ReactorFigures.REACTOR);
        for (LeaderFollowersPool pool : reactor.pools()) {
            Meters.bind(registry, pool, tags.and("pool", pool.name()), PoolFigures.POOL);
        }
        int shards = reactor.shardCounters().size();
        for (int shard = 0; shard < shards; shard++) {
            Meters.bind(registry, reactor, tags.and("shard", Integer.toString(shard)), figuresOf(shard));
        }
        for (LatencyHistogram histogram : reactor.histograms()) {
            Meters.bind(registry, histogram, tags.and("histogram", histogram.name()), PoolFigures.HISTOGRAM);
        }
    }

    private static Figures<StreamReactor> figuresOf(int shard) {
        return new Figures<StreamReactor>("")
                .part(reactor -> reactor.shardCounters().get(shard), ReactorFigures.SHARD_COUNTERS);
    }
}
