package org.cabrank.bench.load;

/**
 * Resources that the load generator used in a measured interval.
 *
 * @param elapsedNs length of the interval, including the time to read the CPU times
 * @param cpuNs CPU time of the generator's threads
 * @param threads number of these threads
 * @param timedSends number of requests with a due time: those of a fixed rate, or of bursts
 * @param lateSends number of these that were sent more than 1 ms after their due time although a connection had room before
 *     it
 * @param portWaits number of attempts to connect that found no free port, and were repeated
 */
public record GeneratorEffort(
        long elapsedNs, long cpuNs, int threads, long timedSends, long lateSends, long portWaits) {

    /** CPUs kept busy on average. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
