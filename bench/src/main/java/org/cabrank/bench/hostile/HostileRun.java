package org.cabrank.bench.hostile;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.LoadResult;

/**
 * The raw numbers of one backend.
 *
 * @param before the well-behaved client alone
 * @param during the well-behaved client, connected anew, beside the hostile ones
 * @param hostileMade hostile connections that were made
 * @param hostileReset of these, connections that their client has reset on purpose
 * @param hostileEnded connections that the server has ended or refused
 * @param server memory and counters of the server at the end
 * @param failure the reason for which the backend was not measured; null if it was
 */
public record HostileRun(
        String backend,
        Client before,
        Client during,
        long hostileMade,
        long hostileReset,
        long hostileEnded,
        String server,
        String failure) {

    /**
     * The well-behaved client.
     *
     * @param answers in the measured interval, all of them right
     * @param p50Ns and the others: latencies, from the time each request was meant to be sent
     * @param errors how often each thing went wrong; empty when every request got its right answer
     */
    public record Client(long answers, long p50Ns, long p99Ns, long p999Ns, long maxNs, Map<String, Long> errors) {
        static Client of(LoadResult result) {
            Histogram latencies = result.latencies();
            return new Client(
                    result.answers(),
                    latencies.getValueAtPercentile(50),
                    latencies.getValueAtPercentile(99),
                    latencies.getValueAtPercentile(99.9),
                    latencies.getMaxValue(),
                    result.errors());
        }

        boolean failed() {
            return answers == 0 || !errors.isEmpty();
        }
    }

    static HostileRun notMeasured(String backend, String failure) {
        return new HostileRun(backend, null, null, 0, 0, 0, null, failure);
    }

    boolean failed() {
        return failure != null || before.failed() || during.failed();
    }
}
