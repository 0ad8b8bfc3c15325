package org.cabrank.bench.cli;

import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.pinning.MachineSnapshot;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for a placement plan that is printed without starting a server. */
final class PlanOptions {

    private static final int THREADS_MAX = 1_024;

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            converter = Converters.Placements.class,
            completionCandidates = Converters.Placements.class,
            description = "Plans as 'cabrank serve' does: ${COMPLETION-CANDIDATES}. Default: no plan.")
    private Placement placement;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "For so many shards (default: as many as there are places for; at most "
                    + Placement.SHARDS_MAX + ").")
    private Integer shards;

    @Option(names = "--threads-per-shard", paramLabel = "N", description = "Of so many threads each (default 1).")
    private Integer threadsPerShard;

    PlacementPlan plan(MachineSnapshot snapshot, CommandLine command) {
        if (placement == null) {
            if (shards != null || threadsPerShard != null) {
                throw new ParameterException(
                        command,
                        (shards != null ? "--shards" : "--threads-per-shard")
                                + " is for --placement: leave it out, or name one");
            }
            return null;
        }
        check(command, "--shards", shards, Placement.SHARDS_MAX);
        check(command, "--threads-per-shard", threadsPerShard, THREADS_MAX);
        try {
            return placement.plan(
                    snapshot.topology(),
                    snapshot.limits(),
                    shards == null ? 0 : shards,
                    threadsPerShard == null ? 1 : threadsPerShard,
                    false);
        } catch (PlacementException refused) {
            throw new Failure("--placement " + placement + ": " + refused.getMessage(), refused);
        }
    }

    private static void check(CommandLine command, String flag, Integer count, int most) {
        if (count != null && (count < 1 || count > most)) {
            throw new ParameterException(command, flag + " must be from 1 to " + most + ", but is " + count);
        }
    }
}
