package org.cabrank.bench.report;

import java.util.Map;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;

/**
 * What the load generator's process tells the bench about one run; the fields are those of {@link RunRecord.Measured}.
 *
 * @param firstWrongAnswer where the first wrong answer was; null when there was none
 * @param generatorLimited in what way the generator was the limit, in words; null when nothing shows that it was
 */
public record GeneratorReport(
        long answers,
        long elapsedNs,
        Latency latency,
        Usage server,
        Usage load,
        String histogram,
        Map<String, Long> errors,
        String firstWrongAnswer,
        String generatorLimited) {}
