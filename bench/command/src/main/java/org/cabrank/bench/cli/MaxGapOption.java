package org.cabrank.bench.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Maximum gap of deferred promotion in the servers that a bench compares. */
final class MaxGapOption {

    @Option(
            names = "--max-gap",
            paramLabel = "TIME",
            defaultValue = "2ms",
            description = "Of Cabrank's deferred promotion: after how long a follower takes over from a leader that is"
                    + " still in one handler (default ${DEFAULT-VALUE}).")
    private Duration maxGap;

    /** Unchecked; {@link org.cabrank.lf.Promotion#deferred} checks the range. */
    long ns() {
        return maxGap.toNanos();
    }
}
