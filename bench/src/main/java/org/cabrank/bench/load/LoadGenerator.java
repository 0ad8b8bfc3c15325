package org.cabrank.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.cabrank.kernel.Kernel;

/**
 * One run of the load generator, from connecting to the result. A controller calls, in this order: {@link #start}, {@link
 * #awaitConnected}, {@link #beginMeasuring}, {@link #endMeasuring}, {@link #finish}. Load runs from the connecting to the
 * finish: what comes before the measured interval warms the server up.
 */
public final class LoadGenerator {

    private final LoadPhase phase;
    private final List<LoadWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private Mark begin = new Mark(0, 0, 0);
    private Mark end = begin;

    private record Mark(long atNs, long answers, long bytes) {}

    private LoadGenerator(Kernel kernel, LoadSettings settings, Runnable onThreadStart) {
        phase = new LoadPhase(settings.threads());
        int first = 0;
        for (int i = 0; i < settings.threads(); i++) {
            int next = (int) ((long) settings.connections() * (i + 1) / settings.threads());
            LoadWorker worker = new LoadWorker(kernel, settings, phase, first, next - first);
            workers.add(worker);
            threads.add(new Thread(
                    () -> {
                        onThreadStart.run();
                        worker.run();
                    },
                    "load-" + i));
            first = next;
        }
    }

    /** Starts connecting. {@code onThreadStart} runs first on each of the generator's threads. */
    public static LoadGenerator start(Kernel kernel, LoadSettings settings, Runnable onThreadStart) {
        LoadGenerator generator = new LoadGenerator(kernel, settings, onThreadStart);
        generator.threads.forEach(Thread::start);
        return generator;
    }

    /**
     * Waits until every connection stands and has had its first answer, or has failed. The settings' timeout bounds how
     * long none does.
     */
    public void awaitConnected() throws InterruptedException {
        phase.awaitConnected();
    }

    /** Waits {@code ns}, or less when every connection has failed; false in that case. */
    public boolean run(long ns) throws InterruptedException {
        return !phase.awaitEnd(ns);
    }

    /** From here on latencies are recorded. Returns the answers so far. */
    public long beginMeasuring() {
        phase.measuring(true);
        begin = mark();
        return begin.answers;
    }

    /** The end of the measured interval; load goes on. Returns the answers so far. */
    public long endMeasuring() {
        end = mark();
        phase.measuring(false);
        return end.answers;
    }

    /** Sends nothing more, waits for the answers that are missing (the settings' timeout bounds it) and closes. */
    public LoadResult finish() throws InterruptedException {
        phase.stop();
        for (Thread thread : threads) {
            thread.join();
        }
        // The constructor takes over the range, not the content.
        Histogram latencies = new Histogram(workers.get(0).latencies());
        Map<String, Long> errors = new TreeMap<>();
        for (LoadWorker worker : workers) {
            latencies.add(worker.latencies());
            worker.errors().counts().forEach((kind, times) -> errors.merge(kind, times, Long::sum));
        }
        return new LoadResult(
                end.answers - begin.answers, end.bytes - begin.bytes, end.atNs - begin.atNs, latencies, errors);
    }

    /** Where the first wrong answer was, in words; null when there was none. */
    public String firstWrongAnswer() {
        return workers.stream()
                .map(LoadWorker::firstWrongAnswer)
                .filter(where -> where != null)
                .findFirst()
                .orElse(null);
    }

    private Mark mark() {
        long answers = 0;
        long bytes = 0;
        for (LoadWorker worker : workers) {
            answers += worker.counters().answersOpaque();
            bytes += worker.counters().bytesOpaque();
        }
        return new Mark(System.nanoTime(), answers, bytes);
    }
}
