package org.cabrank.bench.report;

import java.util.Map;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;

/**
 * Report of the load generator's process about one run; the fields are those of {@link RunRecord.Measured}.
 *
 * @param firstWrongAnswer position of the first wrong answer; null if all were right
 * @param generatorLimited the reason to consider the generator the bottleneck; null if there is none
 * @param fast the requests whose handlers did not block; null if answers do not tell
 * @param datagrams datagrams of the interval; null for another load
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
        String generatorLimited,
        FastRequests fast,
        DatagramCounts datagrams) {}
