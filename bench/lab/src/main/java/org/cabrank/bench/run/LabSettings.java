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

/** Settings of {@code cabrank bench}. {@code server}: settings to which cells add theirs. {@code page}: file of the HTML report. */
public record LabSettings(
        Entrants entrants, Measurements measurements, ServerSettings server, RequestedCpus cpus, Path page) {

    /** {@code contenders}: in the order of the tables. {@code control}: the baseline runs a second time, so the noise floor is known. */
    public record Entrants(List<Contender> contenders, boolean control) {

        public Entrants {
            contenders = List.copyOf(contenders);
            if (contenders.isEmpty()) {
                throw new IllegalArgumentException("no contender was named");
            }
        }
    }

    /** {@code scenarios}: in the order of measurement. {@code feasible}: cells that can be measured. {@code extent}: limit on the time. */
    public record Measurements(List<Scenario> scenarios, Feasible feasible, Wishes.Extent extent, MeasuringPace pace) {

        public Measurements {
            scenarios = List.copyOf(scenarios);
            if (scenarios.isEmpty()) {
                throw new IllegalArgumentException("no scenario was named");
            }
        }
    }

    /** Null CPUs: the bench chooses them. {@code loadThreads}: 0 means one thread for each of the load's CPUs. */
    public record RequestedCpus(CpuList server, CpuList load, int loadThreads) {}

    public Plan plan() {
        return Plan.of(
                measurements.feasible.cells(),
                Turnout.of(entrants.contenders, entrants.control),
                measurements.extent,
                measurements.pace);
    }
}
