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
 * {@link #endMeasuring}, {@link #finish}. The load runs all the time, so the time before {@link #beginMeasuring} is the warm-up.
 */
public final class LoadGenerator {

    /** Maximum number of attempts to read two counters together. An attempt fails if the worker counts an answer in between. */
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
            threads.add(new Thread(() -> worker.run(onThreadStart), "load-" + threads.size()));
        }
    }

    /** @param onThreadStart runs first on each of the generator's threads */
    public static LoadGenerator start(Kernel kernel, LoadSettings settings, Runnable onThreadStart) {
        LoadGenerator generator = new LoadGenerator(kernel, settings, onThreadStart);
        generator.threads.forEach(Thread::start);
        return generator;
    }

    /** Waits until every connection has been answered or has failed. If there is no progress for the timeout, gives up the rest. */
    public void awaitConnected() throws InterruptedException {
        phase.awaitConnected();
    }

    /** Waits for {@code ns}. Returns false early if all connections have failed. */
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

    /** Counts latencies and timed sends only after {@code latencyDelayNs}, because earlier requests may have waited for a CPU. */
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

    /** Returns the number of bytes received in the measured interval. Called after {@link #endMeasuring}. */
    public long measuredBytes() {
        return end.bytes - begin.bytes;
    }

    /** Stops sending, waits for missing answers, and closes the connections. Each step takes at most the timeout of the settings. */
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

    /** Returns the description and the position of a wrong answer, or null if all answers were right. */
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
            do { // again if the worker counted an answer in between
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
