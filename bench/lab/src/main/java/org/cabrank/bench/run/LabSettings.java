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

/** Settings of {@code cabrank bench}. {@code page} is the file of the HTML report. */
public record LabSettings(
        Entrants entrants, Measurements measurements, ServerSettings server, RequestedCpus cpus, Path page) {

    /** {@code contenders} are in the order of the tables. If {@code control}, the baseline runs a second time. */
    public record Entrants(List<Contender> contenders, boolean control) {

        public Entrants {
            contenders = List.copyOf(contenders);
            if (contenders.isEmpty()) {
                throw new IllegalArgumentException("no contender was named");
            }
        }
    }

    /** {@code scenarios} are in the order of measurement. {@code feasible} has the cells of the scenarios that can be measured. */
    public record Measurements(List<Scenario> scenarios, Feasible feasible, Wishes.Extent extent, MeasuringPace pace) {

        public Measurements {
            scenarios = List.copyOf(scenarios);
            if (scenarios.isEmpty()) {
                throw new IllegalArgumentException("no scenario was named");
            }
        }
    }

    /** If a list is null, the bench chooses the CPUs. If {@code loadThreads} is 0, each CPU of the load has one thread. */
    public record RequestedCpus(CpuList server, CpuList load, int loadThreads) {}

    public Plan plan() {
        return Plan.of(
                measurements.feasible.cells(),
                Turnout.of(entrants.contenders, entrants.control),
                measurements.extent,
                measurements.pace);
    }
}
