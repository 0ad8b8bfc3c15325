package org.cabrank.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place on the way from one shared pool to one reactor for each thread.
 *
 * @param shards handle sets, each with a leader
 * @param threads of each shard
 */
public record Split(int shards, int threads) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,4})x(\\d{1,4})");
    private static final int MAX = 1_024;

    public Split {
        if (shards < 1 || shards > MAX || threads < 1 || threads > MAX) {
            throw new IllegalArgumentException(
                    shards + "x" + threads + ": shards and threads go from 1 to " + MAX + " each");
        }
    }

    /**
     * The inverse of {@link #toString}.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    public static Split parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no split: right would be SHARDSxTHREADS, such as 2x1");
        }
        return new Split(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /**
     * Those that make sense on so many CPUs: as many threads as CPUs, in every number of shards that divides them evenly; the
     * same with one thread more in each shard, which takes over while another is in a slow handler; and one thread alone.
     */
    public static List<Split> along(int cpus) {
        List<Split> splits = new ArrayList<>();
        if (cpus > 1) {
            splits.add(new Split(1, 1));
        }
        for (int shards = 1; shards <= cpus; shards++) {
            if (cpus % shards == 0) {
                splits.add(new Split(shards, cpus / shards));
                splits.add(new Split(shards, cpus / shards + 1));
            }
        }
        return splits;
    }

    /** As the command line takes it: {@code 2x1}. */
    @Override
    public String toString() {
        return shards + "x" + threads;
    }
}
