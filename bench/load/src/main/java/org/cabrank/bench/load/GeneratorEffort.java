package org.cabrank.bench.load;

/**
 * Resources that the load generator used in a measured interval.
 *
 * @param timedSends number of requests with a due time: those of a fixed rate, or of bursts
 * @param lateSends those sent more than 1 ms after their due time although a connection had room before
 * @param portWaits number of attempts to connect that found no free port, and were repeated
 */
public record GeneratorEffort(
        long elapsedNs, long cpuNs, int threads, long timedSends, long lateSends, long portWaits) {

    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
