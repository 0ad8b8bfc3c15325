package org.cabrank.bench.experiment;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;

/**
 * All data that is needed to judge an experiment, as written to its JSON file.
 *
 * @param <V> variants of the experiment
 * @param <R> result of a turn
 * @param format version of the format; grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false if the experiment was ended early, by the user or by its time limit
 * @param arguments the command line
 * @param settings settings of the experiment; times in ns
 * @param leftOut variants that this machine does not permit, with the reason
 * @param rule rule by which one variant is better than another
 * @param recommendations empty in experiments that recommend nothing
 */
public record ExperimentReport<V, R>(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        BenchReport.Machine machine,
        BenchReport.Jvm jvm,
        BenchReport.Cpus cpus,
        Object settings,
        Map<String, String> leftOut,
        String rule,
        List<VariantRuns.Summary<V>> summary,
        List<Recommendation<V>> recommendations,
        List<VariantRun<V, R>> trials) {

    static final int FORMAT = 3;

    VariantRuns<V, R> results() {
        return new VariantRuns<>(trials);
    }
}
