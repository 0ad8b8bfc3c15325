package org.cabrank.bench.cli;

import picocli.CommandLine.Option;

/** The baseline's second run. */
final class ControlOption {

    @Option(
            names = "--no-aa",
            description =
                    "Does not run the baseline a second time: the noise stays unknown, and there is more time for the"
                            + " contenders.")
    private boolean left;

    /** Returns true if the baseline runs a second time. */
    boolean wanted() {
        return !left;
    }
}
