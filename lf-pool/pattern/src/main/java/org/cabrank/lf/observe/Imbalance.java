package org.cabrank.lf.observe;

import java.util.Arrays;

/**
 * Distribution of a quantity over shards.
 *
 * @param most the shard that has the most
 * @param least the shard that has the least
 * @param ratio largest share divided by the mean: from 1 (all shares are equal) to the number of shards (only one share is not 0)
 */
public record Imbalance(int most, int least, double ratio) {

    /** {@code each} has the share of each shard, in order. At least one shard is needed, and no share is negative. */
    public static Imbalance of(long... each) {
        int most = 0;
        int least = 0;
        for (int shard = 1; shard < each.length; shard++) {
            most = each[shard] > each[most] ? shard : most;
            least = each[shard] < each[least] ? shard : least;
        }
        double mean = Arrays.stream(each).average().orElseThrow();
        return new Imbalance(most, least, mean == 0 ? 1 : each[most] / mean);
    }
}
