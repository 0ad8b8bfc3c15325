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
 * @param server settings of servers, before those of cells
 * @param page file for the report as an HTML page
 */
public record LabSettings(
        Entrants entrants, Measurements measurements, ServerSettings server, RequestedCpus cpus, Path page) {

    /**
     * Servers that are compared.
     *
     * @param contenders the contenders in the order of the tables
     * @param control true if the baseline runs a second time, so that the noise floor is known
     */
    public record Entrants(List<Contender> contenders, boolean control) {

        public Entrants {
            contenders = List.copyOf(contenders);
            if (contenders.isEmpty()) {
                throw new IllegalArgumentException("no contender was named");
            }
        }
    }

    /**
     * Cells to measure, and how often and for how long.
     *
     * @param scenarios the scenarios in the order of measurement
     * @param feasible the cells of these scenarios that can be measured
     * @param extent limit on the total time
     * @param pace number and length of measurements
     */
    public record Measurements(List<Scenario> scenarios, Feasible feasible, Wishes.Extent extent, MeasuringPace pace) {

        public Measurements {
            scenarios = List.copyOf(scenarios);
            if (scenarios.isEmpty()) {
                throw new IllegalArgumentException("no scenario was named");
            }
        }
    }

    /**
     * CPUs of the processes, as far as the user chooses them.
     *
     * @param server CPUs of each server; null: the bench chooses
     * @param load CPUs of the load generator; null: the bench chooses
     * @param loadThreads number of threads of the load generator; 0: one for each of its CPUs
     */
    public record RequestedCpus(CpuList server, CpuList load, int loadThreads) {}

    /** The cells to measure, with the number and length of measurements. */
    public Plan plan() {
        return Plan.of(
                measurements.feasible.cells(),
                Turnout.of(entrants.contenders, entrants.control),
                measurements.extent,
                measurements.pace);
    }
}
