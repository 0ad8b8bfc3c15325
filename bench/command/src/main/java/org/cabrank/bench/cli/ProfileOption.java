package org.cabrank.bench.cli;

import picocli.CommandLine.Option;

/** Profiles of the contenders. */
final class ProfileOption {

    @Option(
            names = "--profile",
            description =
                    "Afterwards profiles each contender in each cell, in processes and intervals of their own: flame graphs"
                            + " with the stacks of the kernel, and their differences, in the page. Stacks of the kernel need root or"
                            + " kernel.perf_event_paranoid 1 and kernel.kptr_restrict 0; otherwise stacks end at its border.")
    private boolean profile;

    /** Returns true if profiles are asked for. */
    boolean wanted() {
        return profile;
    }
}
