package org.cabrank.bench.load.datagram;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.cabrank.bench.load.GeneratorEffort;
import org.cabrank.bench.load.engine.LoadPhase;
import org.cabrank.bench.load.engine.ThreadTimes;
import org.cabrank.kernel.Kernel;

/**
 * One run of the load generator for datagrams. A controller calls, in this order: {@link #start}, {@link #awaitAnswer}, {@link #run} for
 * the warm-up, {@link #beginMeasuring}, {@link #run}, {@link #endMeasuring}, {@link #finish}. {@link #measure} makes all these calls.
 */
public final class DatagramGenerator {
    private final LoadPhase phase;
    private final FirstSign sign = new FirstSign();
    private final List<DatagramWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadTimes threadTimes = new ThreadTimes(threads);
    private ThreadTimes.Reading cpuBegin = ThreadTimes.Reading.NONE;
    private ThreadTimes.Reading cpuEnd = ThreadTimes.Reading.NONE;
    private boolean measuring;

    private DatagramGenerator(Kernel kernel, DatagramLoad load, int run, Runnable onThreadStart) {
        phase = new LoadPhase(load.threads());
        for (int i = 0; i < load.threads(); i++) {
            DatagramWorker worker = new DatagramWorker(kernel, load, phase, sign, i, run);
            workers.add(worker);
            threads.add(new Thread(() -> worker.run(onThreadStart), "load-udp-" + i));
        }
    }

    /** First sign of life of a target. */
    public enum Start {
        ANSWERED,
        /** Nothing listens at the port, or there is no route to the host. */
        REFUSED,
        /** No answer and no error arrived in time. */
        SILENT
    }

    /** Measures after the warm-up. Returns a result even if no answer came at all. */
    public static DatagramResult measure(Kernel kernel, DatagramLoad load, long warmupNs, long durationNs)
            throws InterruptedException {
        DatagramGenerator generator = start(kernel, load, () -> {});
        generator.run(warmupNs);
        generator.beginMeasuring();
        generator.run(durationNs);
        generator.endMeasuring();
        return generator.finish();
    }

    /** Starts sending datagrams of a new run. {@code onThreadStart} runs first on each of the generator's threads. */
    public static DatagramGenerator start(Kernel kernel, DatagramLoad load, Runnable onThreadStart) {
        int run = ThreadLocalRandom.current().nextInt();
        DatagramGenerator generator = new DatagramGenerator(kernel, load, run, onThreadStart);
        generator.threads.forEach(Thread::start);
        return generator;
    }

    /** Waits at most {@code ns} for the first answer or network error. */
    public Start awaitAnswer(long ns) throws InterruptedException {
        return sign.await(ns);
    }

    /** Waits for {@code ns}. Returns false early if all threads have ended, because the kernel refused a call. */
    public boolean run(long ns) throws InterruptedException {
        return !phase.awaitEnd(ns);
    }

    public void beginMeasuring() {
        cpuBegin = threadTimes.read();
        phase.measuring(true);
        measuring = true;
    }

    /** Ends the measured interval. The load continues. If this method is not called, {@link #finish} ends the interval. */
    public void endMeasuring() {
        if (measuring) {
            phase.measuring(false);
            cpuEnd = threadTimes.read();
            measuring = false;
        }
    }

    /** Stops sending and waits for missing answers. Closes the sockets when no answer has arrived for the loss timeout. */
    public DatagramResult finish() throws InterruptedException {
        endMeasuring();
        phase.stop();
        FlowTally all = new FlowTally();
        Map<String, Long> errors = new TreeMap<>();
        for (int i = 0; i < workers.size(); i++) {
            threads.get(i).join();
            FlowTally tally = workers.get(i).tally();
            all.add(tally);
            tally.errors.counts().forEach((kind, times) -> errors.merge(kind, times, Long::sum));
        }
        return new DatagramResult(
                all.sent,
                all.received,
                all.sent - all.received,
                all.reordered,
                all.duplicated,
                all.wrong,
                all.late,
                all.answersInTime,
                all.elapsedNs,
                all.latencies,
                all.drops,
                errors,
                new GeneratorEffort(
                        cpuEnd.atNs() - cpuBegin.atNs(),
                        cpuEnd.usedNs() - cpuBegin.usedNs(),
                        threads.size(),
                        all.timedSends,
                        all.lateSends,
                        0));
    }
}
