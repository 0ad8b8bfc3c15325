package org.cabrank.bench.queue;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The queue M/G/k: Poisson arrivals, one queue, {@code servers} servers, first come first served. Simulated request by request: a request
 * begins when it has come and the first of the servers is free (the recursion of Kiefer and Wolfowitz). Always the same for the same
 * arguments.
 *
 * <pre>
 *  free[]     when each server is free, the first at the root of a heap
 *  begin    = max(arrival, first of free)        sojourn = begin + service - arrival
 * </pre>
 */
public final class QueueSimulation {

    private static final long SEED = 20_240_917;

    /** Share of the requests that come before the queue is taken to be in equilibrium. */
    private static final int WARMUP_PART = 20;

    private final int servers;
    private final double ratePerUnit;
    private final ServiceTimes services;

    /**
     * @param servers k
     * @param ratePerUnit mean number of arrivals in a unit of time
     * @param services times of requests in that unit, with a mean of less than {@code servers / ratePerUnit}
     */
    public QueueSimulation(int servers, double ratePerUnit, ServiceTimes services) {
        if (servers < 1 || !(ratePerUnit > 0)) {
            throw new IllegalArgumentException(
                    servers + " servers and " + ratePerUnit + " arrivals per unit are no queue");
        }
        this.servers = servers;
        this.ratePerUnit = ratePerUnit;
        this.services = services;
    }

    /** Receives each simulated request. */
    @FunctionalInterface
    public interface Requests {
        void request(double waiting, double sojourn);
    }

    /** Simulates {@code count} requests in equilibrium. */
    public void run(int count, Requests requests) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] free = new double[servers];
        double now = 0;
        for (int i = -count / WARMUP_PART; i < count; i++) {
            now -= Math.log1p(-random.nextDouble()) / ratePerUnit;
            double begin = Math.max(now, free[0]);
            double end = begin + services.draw(random);
            replaceFirst(free, end);
            if (i >= 0) {
                requests.request(begin - now, end - now);
            }
        }
    }

    /** Puts {@code value} in the place of the least element of the heap. */
    private static void replaceFirst(double[] heap, double value) {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= heap.length) {
                break;
            }
            if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= value) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = value;
    }

    /**
     * Returns the quantiles of the sojourn times of {@code count} requests.
     *
     * @param tail share of the requests below the quantile whose accuracy is computed
     */
    public Quantiles quantiles(int count, double tail) {
        double[] sojourns = new double[count];
        int[] next = {0};
        run(count, (waiting, sojourn) -> sojourns[next[0]++] = sojourn);
        return Quantiles.of(sojourns, tail);
    }

    /**
     * Quantiles of times from a request's arrival to its end.
     *
     * @param tailAccuracy half of the width of the 95 % interval of the quantile that was chosen as the tail, relative to it
     */
    public record Quantiles(double p50, double p98, double p99, double p995, double p999, double tailAccuracy) {

        private static final int BATCHES = 20;

        /** Quantile 97.5 % of Student's distribution with {@link #BATCHES} - 1 degrees of freedom. */
        private static final double STUDENT = 2.093;

        /** @param times in the order of arrival, so that batches are nearly independent */
        static Quantiles of(double[] times, double tail) {
            double[] batches = new double[BATCHES];
            int size = times.length / BATCHES;
            for (int i = 0; i < BATCHES; i++) {
                batches[i] = at(sorted(Arrays.copyOfRange(times, i * size, (i + 1) * size)), tail);
            }
            double[] all = sorted(times);
            double mean = Arrays.stream(batches).average().orElseThrow();
            double variance = Arrays.stream(batches)
                            .map(batch -> (batch - mean) * (batch - mean))
                            .sum()
                    / (BATCHES - 1);
            double halfWidth = STUDENT * Math.sqrt(variance / BATCHES);
            return new Quantiles(
                    at(all, 0.5),
                    at(all, 0.98),
                    at(all, 0.99),
                    at(all, 0.995),
                    at(all, 0.999),
                    halfWidth / at(all, tail));
        }

        private static double[] sorted(double[] times) {
            double[] copy = times.clone();
            Arrays.sort(copy);
            return copy;
        }

        private static double at(double[] sorted, double share) {
            return sorted[(int) Math.min(sorted.length - 1L, (long) Math.floor(share * sorted.length))];
        }
    }
}
