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
     * What was used from {@code earlier} to this sample. A thread that ended in between counts with what {@code earlier}
     * knew, which is nothing: JVM threads that matter do not end while a server runs.
     */
    public ProcessUsage since(ProcessSample earlier) {
        long cpuNs = 0;
        long switches = 0;
        for (Map.Entry<String, ThreadCounters> thread : threads.entrySet()) {
            ThreadCounters now = thread.getValue();
            ThreadCounters before = earlier.threads.getOrDefault(thread.getKey(), new ThreadCounters(0, 0));
            cpuNs += now.cpuNs() - before.cpuNs();
            switches += now.switches() - before.switches();
        }
        return new ProcessUsage(
                atNs - earlier.atNs,
                cpuNs,
                ticks.user() - earlier.ticks.user(),
                ticks.system() - earlier.ticks.system(),
                switches);
    }
}
