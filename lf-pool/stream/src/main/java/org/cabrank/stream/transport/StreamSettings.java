package org.cabrank.stream.transport;

import java.util.Objects;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.ShardPlacement;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;

/**
 * Settings for a backend.
 *
 * @param shards number of shards, from 1 to 1,024
 * @param threadsPerShard maximum number of threads of a shard, from 1 to 1,024
 * @param grows true if each shard starts with fewer threads and adds threads when it needs them ({@link PoolConfig#growing})
 */
public record StreamSettings(
        int shards,
        int threadsPerShard,
        boolean grows,
        Deactivation deactivation,
        StreamLimits limits,
        StreamTimeouts timeouts,
        ShardPlacement placement) {
    public static final int SHARDS_MAX = 1024;

    public StreamSettings {
        Objects.requireNonNull(deactivation, "deactivation");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(timeouts, "timeouts");
        Objects.requireNonNull(placement, "placement");
        requireShards(shards);
        if (threadsPerShard < 1 || threadsPerShard > PoolConfig.THREADS_MAX) {
            throw new IllegalArgumentException(
                    "threads must be from 1 to " + PoolConfig.THREADS_MAX + ", but is " + threadsPerShard);
        }
    }

    public StreamSettings withFixedThreads(int count) {
        return new StreamSettings(shards, count, false, deactivation, limits, timeouts, placement);
    }

    public static int requireShards(int count) {
        if (count < 1 || count > SHARDS_MAX) {
            throw new IllegalArgumentException("shards must be from 1 to " + SHARDS_MAX + ", but is " + count);
        }
        return count;
    }
}
