package org.cabrank.bench.report;

import java.util.Map;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;

/** The load generator's report about one run, see {@link RunRecord.Measured}. {@code firstWrongAnswer} is null if all answers are right. */
public record GeneratorReport(
        long answers,
        long elapsedNs,
        Latency latency,
        Usage server,
        Usage load,
        String histogram,
        Map<String, Long> errors,
        String firstWrongAnswer,
        String generatorLimited,
        FastRequests fast,
        DatagramCounts datagrams) {}
