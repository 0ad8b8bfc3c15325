package org.cabrank.bench.cli;

import org.cabrank.bench.run.LabSettings;
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

    /** Returns a copy of {@code settings} with profiles if they are asked for. */
    LabSettings applyTo(LabSettings settings) {
        return settings.withProfiles(profile);
    }
}
