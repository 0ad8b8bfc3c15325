package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Resources that a process has used until one moment. */
public final class ProcessSample {

    private static final Path PROC = Path.of("/proc");

    private final long atNs;
    private final CpuTicks ticks;
    private final Map<String, ThreadUsage> threads;

    private ProcessSample(long atNs, CpuTicks ticks, Map<String, ThreadUsage> threads) {
        this.atNs = atNs;
        this.ticks = ticks;
        this.threads = threads;
    }

    public static ProcessSample of(long pid) throws IOException {
        return of(PROC, pid);
    }

    static ProcessSample of(Path proc, long pid) throws IOException {
        Path process = ProcFiles.processDirectory(proc, pid);
        Map<String, ThreadUsage> threads = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                readThread(task, threads);
            }
        }
        return new ProcessSample(System.nanoTime(), CpuTicks.parse(ProcFiles.text(process.resolve("stat"))), threads);
    }

    private static void readThread(Path task, Map<String, ThreadUsage> threads) throws IOException {
        try {
            String schedstat = ProcFiles.text(task.resolve("schedstat"));
            String status = ProcFiles.text(task.resolve("status"));
            Path sched = task.resolve("sched");
            threads.put(
                    task.getFileName().toString(),
                    ThreadUsage.parse(schedstat, status, Files.exists(sched) ? ProcFiles.text(sched) : null));
        } catch (NoSuchFileException ended) {
            // The thread ended after it was listed. This sample does not count it.
            threads.remove(task.getFileName().toString());
        } catch (IOException ended) {
            // ESRCH: the thread ended while it was read.
            if (Files.exists(task)) {
                throw ended;
            }
        }
    }

    public boolean hasCompiler() {
        return threads.values().stream().anyMatch(thread -> thread.kind() == ThreadUsage.Kind.COMPILER);
    }

    /** Returns true if a compiler thread was running or runnable. */
    public boolean compiles() {
        return threads.values().stream()
                .anyMatch(thread -> thread.kind() == ThreadUsage.Kind.COMPILER && thread.runs());
    }

    /**
     * Returns the resources used since {@code earlier}. The CPU time of living threads is exact. The CPU time of ended threads is derived
     * from ticks, with an error of one tick. The switches and migrations of ended threads are not counted.
     */
    public ProcessUsage since(ProcessSample earlier) {
        long livingNs = 0;
        long busiestThreadNs = 0;
        long ringThreadsNs = 0;
        long compilerNs = 0;
        long switches = 0;
        long migrations = 0;
        for (Map.Entry<String, ThreadUsage> thread : threads.entrySet()) {
            ThreadUsage now = thread.getValue();
            ThreadUsage before = earlier.threads.getOrDefault(thread.getKey(), ThreadUsage.NONE);
            long cpuNs = now.cpuNs() - before.cpuNs();
            livingNs += cpuNs;
            busiestThreadNs = Math.max(busiestThreadNs, cpuNs);
            switch (now.kind()) {
                case RING -> ringThreadsNs += cpuNs;
                case COMPILER -> compilerNs += cpuNs;
                default -> {}
            }
            switches += now.switches() - before.switches();
            boolean known = migrations != ProcessUsage.UNKNOWN
                    && now.migrations() != ProcessUsage.UNKNOWN
                    && before.migrations() != ProcessUsage.UNKNOWN;
            migrations = known ? migrations + now.migrations() - before.migrations() : ProcessUsage.UNKNOWN;
        }
        long userTicks = ticks.user() - earlier.ticks.user();
        long systemTicks = ticks.system() - earlier.ticks.system();
        // Subtracts 2 ticks, because both counts are rounded. If the rest is larger than livingNs, threads have ended.
        long atLeastNs = (userTicks + systemTicks - 2) * CpuTicks.TICK_NS;
        return new ProcessUsage(
                atNs - earlier.atNs,
                Math.max(livingNs, atLeastNs),
                busiestThreadNs,
                ringThreadsNs,
                compilerNs,
                userTicks,
                systemTicks,
                switches,
                migrations);
    }

    /**
     * User and system time of a process in ticks of 1/100 s, from {@code /proc/PID/stat}. Includes ended threads. The sum is exact. But the
     * timer interrupt samples the mode, so the ratio of user and system time is meaningful only over seconds.
     */
    public record CpuTicks(long user, long system) {

        /** USER_HZ is 100 on every architecture that the JVM supports. */
        static final long TICK_NS = 10_000_000;

        private static final int UTIME_AFTER_COMMAND = 11;

        static CpuTicks parse(String stat) {
            // The command's name is in parentheses and may contain spaces and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new CpuTicks(
                    Long.parseLong(fields[UTIME_AFTER_COMMAND]), Long.parseLong(fields[UTIME_AFTER_COMMAND + 1]));
        }
    }
}
