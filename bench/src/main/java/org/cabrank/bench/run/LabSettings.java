package org.cabrank.bench.run;

import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Pace;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.scenario.Scenario;
import org.cabrank.bench.scenario.Turnout;
import org.cabrank.bench.scenario.Wishes;

/**
 * What the bench runs.
 *
 * @param contenders in the order of the tables
 * @param control whether the baseline runs a second time, so that the noise is known
 * @param scenarios in the order in which they are measured
 * @param feasible those of their cells that are measured
 * @param extent the time that all of it may take
 * @param pace how often and how long each cell is measured
 * @param server how servers are started, but for what cells need
 * @param serverCpus null: the bench chooses
 * @param loadCpus null: the bench chooses
 * @param loadThreads 0: as many as the load has CPUs
 * @param page where the report goes as a page
 */
public record LabSettings(
        List<Contender> contenders,
        boolean control,
        List<Scenario> scenarios,
        Feasible feasible,
        Wishes.Extent extent,
        Pace pace,
        ServerSettings server,
        CpuList serverCpus,
        CpuList loadCpus,
        int loadThreads,
        Path page) {

    public LabSettings {
        contenders = List.copyOf(contenders);
        scenarios = List.copyOf(scenarios);
        if (contenders.isEmpty()) {
            throw new IllegalArgumentException("no contender was named");
        }
        if (scenarios.isEmpty()) {
            throw new IllegalArgumentException("no scenario was named");
        }
    }

    /** What is to be measured, and how often. */
    Plan plan() {
        return Plan.of(feasible.cells(), Turnout.of(contenders, control), extent, pace);
    }
}
