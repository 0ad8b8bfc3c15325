package org.cabrank.bench.report.profile;

import java.util.List;

/**
 * Profiles of a bench with {@code --profile}. They come from intervals, and from processes, of their own.
 *
 * @param profiles profiles in the order of cells and contenders
 * @param notes contenders that were not profiled, and stacks that are incomplete, with cause and remedy, a sentence each
 */
public record ProfileReport(List<CpuProfile> profiles, List<String> notes) {

    public ProfileReport {
        profiles = profiles == null ? List.of() : List.copyOf(profiles);
        notes = notes == null ? List.of() : List.copyOf(notes);
    }
}
