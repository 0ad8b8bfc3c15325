package org.cabrank.stream;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.cabrank.lf.observe.Imbalance;

/** Distribution of load over a reactor's shards: standing connections, events so far, and bytes received and sent so far. */
public record ShardBalance(Imbalance connections, Imbalance detected, Imbalance bytes) {

    public static ShardBalance of(List<ShardCounters> shards) {
        Objects.requireNonNull(shards, "shards");
        return new ShardBalance(
                imbalance(shards, ShardCounters::connections),
                imbalance(shards, ShardCounters::detected),
                imbalance(shards, shard -> shard.receivedBytes() + shard.sentBytes()));
    }

    private static Imbalance imbalance(List<ShardCounters> shards, ToLongFunction<ShardCounters> what) {
        return Imbalance.of(shards.stream().mapToLong(what).toArray());
    }

    /** The load of the most loaded shard divided by the mean, for a log. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "most loaded shard against the mean: connections %.2f, events %.2f, bytes %.2f",
                connections.ratio(),
                detected.ratio(),
                bytes.ratio());
    }
}
