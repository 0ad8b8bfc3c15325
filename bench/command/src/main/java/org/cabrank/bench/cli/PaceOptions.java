package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import picocli.CommandLine.Option;

/** Flags for the number and the length of measurements. */
final class PaceOptions {

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "How often servers are started anew (default: as noise and time require, like the three flags below;"
                            + " with this flag or the next one no cell stops early).")
    private Integer rounds;

    @Option(
            names = "--slices",
            paramLabel = "N",
            description = "How often each server is measured in each cell of a round, in turn with the others.")
    private Integer slices;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Load on a server that was just started, at least; up to " + Plan.WARMUP_MOST
                    + " times as long, until its compiler is at rest and it gets no faster. A 24th of it comes"
                    + " before each measured interval, but for http.")
    private Duration warmup;

    @Option(names = "--duration", paramLabel = "TIME", description = "A measured interval.")
    private Duration duration;

    /** @param timeNs time in ns into which the values that the user leaves to the plan are to fit; null: that of the extent */
    MeasuringPace pace(Long timeNs) {
        return new MeasuringPace(rounds, slices, ns(warmup), ns(duration), timeNs);
    }

    private static Long ns(Duration duration) {
        return duration == null ? null : (Long) duration.toNanos();
    }
}
