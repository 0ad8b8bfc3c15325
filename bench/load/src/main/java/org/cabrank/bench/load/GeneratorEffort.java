package org.cabrank.bench.load;

/**
 * Resources that the load generator used in a measured interval.
 *
 * @param timedSends number of requests with a due time: at a fixed rate, or in bursts
 * @param lateSends number of these requests that were sent over 1 ms after their due time although a connection had room
 * @param portWaits number of attempts to connect that found no free port, and were repeated
 */
public record GeneratorEffort(
        long elapsedNs, long cpuNs, int threads, long timedSends, long lateSends, long portWaits) {

    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
