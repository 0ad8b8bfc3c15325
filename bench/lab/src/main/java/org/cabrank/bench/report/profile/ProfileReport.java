package org.cabrank.bench.report.profile;

import java.util.List;

/**
 * Profiles of a bench with {@code --profile}. They come from intervals, and from processes, of their own.
 *
 * @param profiles profiles in the order of cells and contenders
 * @param slowRequests the slowest request of each contender of Cabrank in each cell
 * @param notes contenders that were not profiled, and stacks that are incomplete, with cause and remedy, a sentence each
 */
public record ProfileReport(List<CpuProfile> profiles, List<SlowRequest> slowRequests, List<String> notes) {

    public ProfileReport {
        profiles = profiles == null ? List.of() : List.copyOf(profiles);
        slowRequests = slowRequests == null ? List.of() : List.copyOf(slowRequests);
        notes = notes == null ? List.of() : List.copyOf(notes);
    }
}
