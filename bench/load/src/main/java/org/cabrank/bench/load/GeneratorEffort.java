package org.cabrank.bench.load;

/**
 * Resources that the load generator used in a measured interval.
 *
 * @param timedSends number of requests with a due time; requests at a fixed rate and in bursts have one
 * @param lateSends number of requests that were sent more than 1 ms after their due time although a connection had room
 * @param portWaits number of attempts to connect that found no free port
 */
public record GeneratorEffort(
        long elapsedNs, long cpuNs, int threads, long timedSends, long lateSends, long portWaits) {

    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
