package org.cabrank.bench.load.datagram;

import org.cabrank.kernel.Kernel;

/**
 * One run of the load generator for datagrams. A controller calls, in this order: {@link #start}, {@link #awaitAnswer}, {@link #run} for
 * the warm-up, {@link #beginMeasuring}, {@link #run}, {@link #endMeasuring}, {@link #finish}. {@link #measure} does all that.
 */
public final class DatagramGenerator {

    private DatagramGenerator() {}

    /** First sign of life of a target. */
    public enum Start {
        ANSWERED,
        /** The host has reported that nothing listens at the port, or that there is no way to the host. */
        REFUSED,
        /** Neither an answer nor an error came in time. */
        SILENT
    }

    /**
     * Sends for {@code warmupNs} without and then for {@code durationNs} with measuring.
     *
     * @return result, also if no answer came at all
     */
    public static DatagramResult measure(Kernel kernel, DatagramLoad load, long warmupNs, long durationNs)
            throws InterruptedException {
        DatagramGenerator generator = start(kernel, load, () -> {});
        generator.run(warmupNs);
        generator.beginMeasuring();
        generator.run(durationNs);
        generator.endMeasuring();
        return generator.finish();
    }

    /** Starts sending. {@code onThreadStart} runs first on each of the generator's threads, for instance to pin it. */
    public static DatagramGenerator start(Kernel kernel, DatagramLoad load, Runnable onThreadStart) {
        throw new UnsupportedOperationException();
    }

    /** Waits for the first answer, or the first error of the network; at most {@code ns}. */
    public Start awaitAnswer(long ns) throws InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Waits {@code ns}, or less when all threads have ended because the kernel refused a call; false in that case. */
    public boolean run(long ns) throws InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Counts and records the datagrams sent from now on. */
    public void beginMeasuring() {}

    /** Ends the measured interval; load goes on. */
    public void endMeasuring() {}

    /** Sends nothing more, waits for missing answers for no longer than the loss timeout, and closes the sockets. */
    public DatagramResult finish() throws InterruptedException {
        throw new UnsupportedOperationException();
    }
}
