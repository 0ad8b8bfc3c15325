package org.cabrank.bench.levels;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.LoadResult;

/**
 * The raw numbers of one run.
 *
 * @param round from 1
 * @param urgentAnswers in the measured interval
 * @param urgentP50Ns and the others: latencies of urgent requests, from the time each was meant to be sent
 * @param bulkPerSecond bulk answers per second
 * @param errors how often each thing went wrong, of both classes; empty when every request got its right answer
 */
public record LevelsRun(
        Arrangement arrangement,
        int round,
        long urgentAnswers,
        long urgentP50Ns,
        long urgentP99Ns,
        long urgentP999Ns,
        long urgentMaxNs,
        double bulkPerSecond,
        Map<String, Long> errors) {

    static LevelsRun of(Arrangement arrangement, int round, LoadResult urgent, LoadResult bulk) {
        Map<String, Long> errors = new TreeMap<>();
        urgent.errors().forEach((kind, times) -> errors.merge("urgent: " + kind, times, Long::sum));
        bulk.errors().forEach((kind, times) -> errors.merge("bulk: " + kind, times, Long::sum));
        Histogram latencies = urgent.latencies();
        return new LevelsRun(
                arrangement,
                round,
                urgent.answers(),
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                bulk.answersPerSecond(),
                errors);
    }

    /** The server did not come as far as to be measured. */
    static LevelsRun notMeasured(Arrangement arrangement, int round, String why) {
        return new LevelsRun(arrangement, round, 0, 0, 0, 0, 0, 0, Map.of(why, 1L));
    }

    boolean failed() {
        return !errors.isEmpty() || urgentAnswers == 0;
    }
}
