package org.cabrank.bench.run;

import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.report.RunRecord.FastRequests;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Usage;

final class Recorded {

    private Recorded() {}

    static Latency latency(Histogram latencies) {
        return new Latency(
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                latencies.getStdDeviation());
    }

    /** @param latencies latencies of the requests whose handlers did not block. Null if the load is not HTTP. */
    static FastRequests fast(Histogram latencies) {
        return latencies == null ? null : new FastRequests(latency(latencies), compressed(latencies));
    }

    static Usage usage(ProcessUsage usage) {
        return new Usage(
                usage.cpuNs(),
                usage.ringThreadsNs(),
                usage.compilerNs(),
                usage.userTicks(),
                usage.systemTicks(),
                usage.switches(),
                usage.migrations(),
                usage.elapsedNs());
    }

    /** Returns HdrHistogram's compressed base64. */
    static String compressed(Histogram latencies) {
        return LoadReport.encoded(latencies);
    }
}
