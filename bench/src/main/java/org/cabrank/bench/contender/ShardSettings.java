package org.cabrank.bench.contender;

import java.util.Objects;
import org.cabrank.stream.AcceptMode;

/**
 * Division of a contender into shards.
 *
 * @param count number of shards or event loops; 0: one for each CPU that the process may use
 * @param accept the way in which shards share a listening address; event loops take turns
 */
public record ShardSettings(int count, AcceptMode accept) {

    /** One shard for each CPU for contenders that can have several; connections are distributed evenly. */
    public static final ShardSettings DEFAULT = new ShardSettings(0, AcceptMode.DISPATCH);

    private static final int COUNT_MAX = 1_024;

    public ShardSettings {
        Objects.requireNonNull(accept);
        if (count < 0 || count > COUNT_MAX) {
            throw new IllegalArgumentException("shards is " + count + ", expected 1 to " + COUNT_MAX);
        }
    }

    int countElseCpus() {
        return count == 0 ? Runtime.getRuntime().availableProcessors() : count;
    }
}
