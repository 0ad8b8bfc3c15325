package org.cabrank.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.engine.LoadPhase;
import org.cabrank.bench.load.engine.ThreadTimes;
import org.cabrank.kernel.Kernel;

/**
 * One run of the load generator. A controller calls, in this order: {@link #start}, {@link #awaitConnected}, {@link #beginMeasuring},
 * {@link #endMeasuring}, {@link #finish}. Load runs throughout, so the time before {@link #beginMeasuring} is the warm-up.
 */
public final class LoadGenerator {

    /** Named bound: attempts to read two counters without an answer being counted in between. */
    private static final int LOOKS_MAX = 100;

    private final LoadPhase phase;
    private final List<LoadWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadTimes threadTimes = new ThreadTimes(threads);
    private Mark begin = new Mark(0, 0, 0, 0, 0, 0);
    private Mark end = begin;
    private ThreadTimes.Reading cpuBegin = ThreadTimes.Reading.NONE;
    private ThreadTimes.Reading cpuEnd = cpuBegin;

    private record Mark(long atNs, long answers, long bytes, long timedSends, long lateSends, long portWaits) {}

    private LoadGenerator(Kernel kernel, LoadSettings settings, Runnable onThreadStart) {
        boolean reconnecting = settings.traffic().reconnecting() > 0;
        phase = new LoadPhase(settings.threads() + (reconnecting ? 1 : 0));
        for (int i = 0; i < settings.threads(); i++) {
            workers.add(new LoadWorker(kernel, settings, phase, i));
        }
        if (reconnecting) {
            workers.add(LoadWorker.reconnecting(kernel, settings, phase));
        }
        for (LoadWorker worker : workers) {
            threads.add(new Thread(
                    () -> {
                        onThreadStart.run();
                        worker.run();
                    },
                    "load-" + threads.size()));
        }
    }

    /** @param onThreadStart runs first on each of the generator's threads */
    public static LoadGenerator start(Kernel kernel, LoadSettings settings, Runnable onThreadStart) {
        LoadGenerator generator = new LoadGenerator(kernel, settings, onThreadStart);
        generator.threads.forEach(Thread::start);
        return generator;
    }

    /** Waits until every connection has had its first answer or has failed. Without progress, gives up after the settings' timeout. */
    public void awaitConnected() throws InterruptedException {
        phase.awaitConnected();
    }

    /** Waits {@code ns}; returns false, perhaps earlier, if every connection has failed. */
    public boolean run(long ns) throws InterruptedException {
        return !phase.awaitEnd(ns);
    }

    /** Records latencies from now on. Returns the number of answers so far. */
    public long beginMeasuring() {
        cpuBegin = threadTimes.read();
        begin = mark();
        phase.measuring(true);
        return begin.answers;
    }

    /** Begins to measure. Latencies and late sends count {@code latencyDelayNs} later, when requests that waited for a CPU are answered. */
    public void beginMeasuring(long latencyDelayNs) throws InterruptedException {
        cpuBegin = threadTimes.read();
        Mark first = mark();
        TimeUnit.NANOSECONDS.sleep(latencyDelayNs);
        Mark timed = mark();
        begin = new Mark(first.atNs, first.answers, first.bytes, timed.timedSends, timed.lateSends, first.portWaits);
        phase.measuring(true);
    }

    /** Returns the number of answers so far. The load continues. */
    public long endMeasuring() {
        end = mark();
        phase.measuring(false);
        cpuEnd = threadTimes.read();
        return end.answers;
    }

    /** Bytes received in the measured interval, which must have ended. */
    public long measuredBytes() {
        return end.bytes - begin.bytes;
    }

    /** Stops sending, waits for missing answers (bounded by the settings' timeout), and closes. */
    public LoadResult finish() throws InterruptedException {
        phase.stop();
        for (Thread thread : threads) {
            thread.join();
        }
        // This constructor copies the range of values, but not the content.
        Histogram latencies = new Histogram(workers.get(0).tally().latencies());
        Histogram fastLatencies = workers.get(0).tally().fastLatencies() == null ? null : new Histogram(latencies);
        Map<String, Long> errors = new TreeMap<>();
        for (LoadWorker worker : workers) {
            latencies.add(worker.tally().latencies());
            if (fastLatencies != null) {
                fastLatencies.add(worker.tally().fastLatencies());
            }
            worker.tally().errors().counts().forEach((kind, times) -> errors.merge(kind, times, Long::sum));
        }
        return new LoadResult(
                end.answers - begin.answers,
                end.bytes - begin.bytes,
                end.atNs - begin.atNs,
                latencies,
                fastLatencies,
                errors,
                effort());
    }

    private GeneratorEffort effort() {
        return new GeneratorEffort(
                cpuEnd.atNs() - cpuBegin.atNs(),
                cpuEnd.usedNs() - cpuBegin.usedNs(),
                workers.size(),
                end.timedSends - begin.timedSends,
                end.lateSends - begin.lateSends,
                end.portWaits - begin.portWaits);
    }

    /** Description of the first wrong answer with its position; null if all answers were right. */
    public String firstWrongAnswer() {
        return workers.stream()
                .map(worker -> worker.tally().firstWrongAnswer())
                .filter(where -> where != null)
                .findFirst()
                .orElse(null);
    }

    private Mark mark() {
        long answers = 0;
        long bytes = 0;
        long timedSends = 0;
        long lateSends = 0;
        long portWaits = 0;
        for (LoadWorker worker : workers) {
            LoadCounters counters = worker.tally().counters();
            long itsAnswers;
            long itsBytes;
            int looks = 0;
            do { // until both counters are of one moment, except for an answer being counted
                itsAnswers = counters.answersOpaque();
                itsBytes = counters.bytesOpaque();
                looks++;
            } while (itsAnswers != counters.answersOpaque() && looks < LOOKS_MAX);
            answers += itsAnswers;
            bytes += itsBytes;
            timedSends += counters.timedSendsOpaque();
            lateSends += counters.lateSendsOpaque();
            portWaits += counters.portWaitsOpaque();
        }
        return new Mark(System.nanoTime(), answers, bytes, timedSends, lateSends, portWaits);
    }
}
