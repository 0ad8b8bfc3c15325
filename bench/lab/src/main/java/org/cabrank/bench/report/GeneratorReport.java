package org.cabrank.bench.report;

import java.util.Map;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;

/** Report of the generator's process about one run, see {@link RunRecord.Measured}. {@code firstWrongAnswer}: null if none is wrong. */
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
