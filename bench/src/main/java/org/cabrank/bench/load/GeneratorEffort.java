package org.cabrank.bench.load;

/**
 * What a measured interval took of the generator.
 *
 * @param elapsedNs its length, and the moments that it takes to read the CPU times
 * @param cpuNs time on CPUs of the generator's threads
 * @param threads how many they are
 * @param timedSends requests that had a time at which to be sent: of a fixed rate, or of bursts
 * @param lateSends those of them that were sent more than a millisecond after it though a connection had room for them
 *     before it
 * @param portWaits attempts to connect that found no free port, and were made again
 */
public record GeneratorEffort(
        long elapsedNs, long cpuNs, int threads, long timedSends, long lateSends, long portWaits) {

    /** CPUs kept busy on average. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
