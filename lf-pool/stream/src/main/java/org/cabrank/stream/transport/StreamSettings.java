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
 * @param shards handle sets, from 1 to 1,024
 * @param threadsPerShard threads that will share each at most, from 1 to 1,024
 * @param grows true: each shard starts with fewer threads and adds them as needed ({@link PoolConfig#growing}); nobody has asked for a
 *     number of threads
 * @param deactivation the way in which handles are kept from being dispatched twice
 * @param placement placement of each shard's threads
 */
public record StreamSettings(
        int shards,
        int threadsPerShard,
        boolean grows,
        Deactivation deactivation,
        StreamLimits limits,
        StreamTimeouts timeouts,
        ShardPlacement placement) {
    /** Named bound. */
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

    /** Returns these settings with a fixed number of threads for each shard. */
    public StreamSettings withFixedThreads(int count) {
        return new StreamSettings(shards, count, false, deactivation, limits, timeouts, placement);
    }

    /** Returns {@code count} if it is from 1 to {@link #SHARDS_MAX}. */
    public static int requireShards(int count) {
        if (count < 1 || count > SHARDS_MAX) {
            throw new IllegalArgumentException("shards must be from 1 to " + SHARDS_MAX + ", but is " + count);
        }
        return count;
    }
}
