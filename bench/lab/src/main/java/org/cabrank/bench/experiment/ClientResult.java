package org.cabrank.bench.experiment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.kernel.Kernel;

/**
 * Result of one class of clients of a server.
 *
 * @param answers number of verified answers in the measured interval
 * @param p50Ns and the other latencies: from the time at which each request was meant to be sent
 * @param errors number of errors by name; empty if every request got its right answer
 */
record ClientResult(
        long answers,
        double answersPerSecond,
        long p50Ns,
        long p99Ns,
        long p999Ns,
        long maxNs,
        Map<String, Long> errors) {

    static ClientResult of(LoadResult result) {
        Histogram latencies = result.latencies();
        return new ClientResult(
                result.answers(),
                result.answersPerSecond(),
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue(),
                result.errors());
    }

    /** Starts clients of the server at {@code port}. */
    static LoadGenerator start(Kernel kernel, int port, LoadTraffic traffic) throws IOException {
        return LoadGenerator.start(
                kernel,
                new LoadSettings(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), traffic),
                () -> {});
    }

    /** Returns the reason for which the result does not count, with {@code who} before it; null if it does. */
    String failure(String who) {
        if (!errors.isEmpty()) {
            return who + ": " + errors;
        }
        return answers == 0 ? who + ": no request was answered" : null;
    }
}
