package org.cabrank.bench.shards;

import java.util.HashSet;
import java.util.List;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.serve.SlowRequests;

/**
 * What is measured.
 *
 * @param arrangements in the table's order
 * @param runs how each arrangement is measured, once per round
 * @param workNs computing per request
 * @param slow how often a request also blocks
 * @param maxGapNs of deferred promotion
 * @param serverCount how many CPUs the stage chooses for the server, where it does
 */
public record ShardsSettings(
        List<Arrangement> arrangements,
        RunnerSettings runs,
        long workNs,
        SlowRequests slow,
        long maxGapNs,
        int serverCount) {

    public ShardsSettings {
        arrangements = List.copyOf(arrangements);
        if (arrangements.isEmpty()) {
            throw new IllegalArgumentException("nothing is left to be measured");
        }
        if (new HashSet<>(arrangements).size() < arrangements.size()) {
            throw new IllegalArgumentException("a value was given twice");
        }
        for (Arrangement arrangement : arrangements) {
            arrangement.server(workNs, slow, maxGapNs); // refuses what is out of range, in words
        }
    }
}
