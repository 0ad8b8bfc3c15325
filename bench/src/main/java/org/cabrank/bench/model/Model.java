package org.cabrank.bench.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.shards.ShardsReport;

/** Simulates all layouts of all machines, and what was measured. */
public final class Model {

    private Model() {}

    /**
     * @param measured by {@code bench scaling}; null: there is nothing to compare with
     * @param arguments of the command line, for the report
     */
    public static ModelReport of(
            ModelSettings settings, CostCalibration costs, ShardsReport measured, List<String> arguments) {
        List<ModelReport.Point> points = new ArrayList<>();
        for (int machine : settings.cores()) {
            for (Scenario scenario : settings.scenarios(machine)) {
                points.add(new ModelReport.Point(
                        scenario.cores(),
                        scenario.shards(),
                        scenario.threads(),
                        Simulation.of(scenario.withEager(true), costs.costs()),
                        Simulation.of(scenario, costs.costs())));
            }
        }
        return new ModelReport(
                ModelReport.FORMAT,
                arguments,
                settings,
                costs.costs(),
                costs.notes(),
                measured == null ? List.of() : Comparing.with(measured, costs.costs(), settings),
                points);
    }

    /**
     * Reads what {@code bench scaling} has written.
     *
     * @throws IllegalArgumentException when the file cannot be read, or is none of that command
     */
    public static ShardsReport measured(Path file) {
        try {
            ShardsReport report = JsonFile.read(file, ShardsReport.class);
            if (report.format() != ShardsReport.FORMAT || report.summary() == null) {
                throw new IllegalArgumentException(file + " is no report of 'cabrank bench scaling' of this version");
            }
            return report;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    file + " cannot be read as a report of 'cabrank bench scaling': "
                            + unreadable.getMessage().lines().findFirst().orElse("empty"),
                    unreadable);
        }
    }
}
