package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What a process had used at one moment: the sum over its threads, and the ticks of the whole. */
public final class ProcessSample {

    private static final Path PROC = Path.of("/proc");

    private final long atNs;
    private final CpuTicks ticks;
    private final Map<String, ThreadCounters> threads;

    private ProcessSample(long atNs, CpuTicks ticks, Map<String, ThreadCounters> threads) {
        this.atNs = atNs;
        this.ticks = ticks;
        this.threads = threads;
    }

    /**
     * Reads proc(5) for {@code pid}.
     *
     * @throws IOException when the process is gone
     */
    public static ProcessSample of(long pid) throws IOException {
        return of(PROC, pid);
    }

    static ProcessSample of(Path proc, long pid) throws IOException {
        Path process = ProcFiles.processDirectory(proc, pid);
        Map<String, ThreadCounters> threads = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                readThread(task, threads);
            }
        }
        return new ProcessSample(System.nanoTime(), CpuTicks.parse(ProcFiles.text(process.resolve("stat"))), threads);
    }

    private static void readThread(Path task, Map<String, ThreadCounters> threads) throws IOException {
        try {
            String schedstat = ProcFiles.text(task.resolve("schedstat"));
            String status = ProcFiles.text(task.resolve("status"));
            threads.put(task.getFileName().toString(), ThreadCounters.parse(schedstat, status));
        } catch (NoSuchFileException ended) {
            // The thread ended between the listing and the reading: what it used is lost to this sample.
            threads.remove(task.getFileName().toString());
        } catch (IOException ended) {
            // ESRCH: the same, a moment later.
            if (Files.exists(task)) {
                throw ended;
            }
        }
    }

    /**
     * What was used from {@code earlier} to this sample. Threads count exactly as long as they live; what ended ones took
     * is known from the ticks of the whole process, to about a tick: io_uring's workers end when they have had nothing to do
     * for some seconds. Their context switches are lost.
     */
    public ProcessUsage since(ProcessSample earlier) {
        long livingNs = 0;
        long ringThreadsNs = 0;
        long switches = 0;
        for (Map.Entry<String, ThreadCounters> thread : threads.entrySet()) {
            ThreadCounters now = thread.getValue();
            ThreadCounters before = earlier.threads.getOrDefault(thread.getKey(), ThreadCounters.NONE);
            long cpuNs = now.cpuNs() - before.cpuNs();
            livingNs += cpuNs;
            ringThreadsNs += now.ofRing() ? cpuNs : 0;
            switches += now.switches() - before.switches();
        }
        long userTicks = ticks.user() - earlier.ticks.user();
        long systemTicks = ticks.system() - earlier.ticks.system();
        // Both ticks are rounded down at both ends: only what is beyond that error shows that threads have ended.
        long atLeastNs = (userTicks + systemTicks - 2) * CpuTicks.TICK_NS;
        return new ProcessUsage(
                atNs - earlier.atNs, Math.max(livingNs, atLeastNs), ringThreadsNs, userTicks, systemTicks, switches);
    }
}
