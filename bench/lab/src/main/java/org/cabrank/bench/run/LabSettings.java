package org.cabrank.bench.run;

import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import org.cabrank.bench.scenario.Scenario;
import org.cabrank.bench.scenario.Turnout;
import org.cabrank.bench.scenario.Wishes;

/**
 * Settings of {@code cabrank bench}.
 *
 * @param contenders the contenders in the order of the tables
 * @param control true if the baseline runs a second time, so that the noise floor is known
 * @param checksGenerators true if load generators are checked against each other where more than one can load a server
 * @param scenarios the scenarios in the order of measurement
 * @param feasible the cells of these scenarios that can be measured
 * @param extent limit on the total time
 * @param pace number and length of measurements
 * @param server settings of servers, before those of cells
 * @param serverCpus null: the bench chooses
 * @param loadCpus null: the bench chooses
 * @param loadThreads 0: as many threads as the load has CPUs
 * @param page file for the report as an HTML page
 * @param profiles true if the contenders are profiled after the measured rounds
 */
public record LabSettings(
        List<Contender> contenders,
        boolean control,
        boolean checksGenerators,
        List<Scenario> scenarios,
        Feasible feasible,
        Wishes.Extent extent,
        MeasuringPace pace,
        ServerSettings server,
        CpuList serverCpus,
        CpuList loadCpus,
        int loadThreads,
        Path page,
        boolean profiles) {

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

    /** Settings without profiles. */
    public LabSettings(
            List<Contender> contenders,
            boolean control,
            boolean checksGenerators,
            List<Scenario> scenarios,
            Feasible feasible,
            Wishes.Extent extent,
            MeasuringPace pace,
            ServerSettings server,
            CpuList serverCpus,
            CpuList loadCpus,
            int loadThreads,
            Path page) {
        this(
                contenders,
                control,
                checksGenerators,
                scenarios,
                feasible,
                extent,
                pace,
                server,
                serverCpus,
                loadCpus,
                loadThreads,
                page,
                false);
    }

    /** Returns a copy with or without profiles. */
    public LabSettings withProfiles(boolean wanted) {
        return new LabSettings(
                contenders,
                control,
                checksGenerators,
                scenarios,
                feasible,
                extent,
                pace,
                server,
                serverCpus,
                loadCpus,
                loadThreads,
                page,
                wanted);
    }

    /** The cells to measure, with the number and length of measurements. */
    public Plan plan() {
        return Plan.of(feasible.cells(), Turnout.of(contenders, control), extent, pace);
    }
}
