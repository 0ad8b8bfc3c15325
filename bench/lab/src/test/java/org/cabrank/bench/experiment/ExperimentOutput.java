package org.cabrank.bench.experiment;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.run.Experiment;

/** Output of an experiment under test. */
final class ExperimentOutput {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Experiment.Output to(Path json) {
        PrintStream print = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        return new Experiment.Output(List.of("bench"), json, print, print);
    }

    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Renders the table of an experiment that finished with {@code trials}. */
    static <V, R> String table(VariantsExperiment<V, R> experiment, List<VariantRun<V, R>> trials) {
        return experiment.table(experiment.report(trials, true));
    }
}
