package org.cabrank.bench.end;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The threads of Cabrank's pools in a process, as /proc shows them. */
public final class ServerThreads {
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final String POOL = "cabrank-";

    /** It makes a shard's things and ends; the kernel lets go of a thread a little after the JVM has joined it. */
    private static final String MAKER = "cabrank-make-";

    /** Its place in proc_pid_stat(5), behind the name. */
    private static final int NICE = 16;

    private static final long PATIENCE_NS = 20_000_000_000L;
    private static final long LOOK_NS = 1_000_000;

    private ServerThreads() {}

    /** Number of this process's pool threads for each affinity mask. */
    public static Map<String, Long> ofThisProcess() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        masks(ProcessHandle.current().pid()).values().forEach(cpus -> counts.merge(cpus, 1L, Long::sum));
        return counts;
    }

    /** Waits for the threads of this process's closed pools: the kernel, too, lets go of them a little after they are joined. */
    public static void awaitNone() throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!masks(ProcessHandle.current().pid()).isEmpty()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError(
                        "a pool is still open: " + masks(ProcessHandle.current().pid()));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** The masks of a process's pool threads, by their names: {@code cabrank-s0-1} is thread 1 of shard 0. */
    public static Map<String, String> masks(long pid) throws IOException {
        Map<String, String> masks = new TreeMap<>();
        for (Map.Entry<String, Path> thread : threads(pid).entrySet()) {
            if (isOfPool(thread.getKey())) {
                text(thread.getValue(), "status").ifPresent(status -> masks.put(thread.getKey(), allowed(status)));
            }
        }
        return masks;
    }

    /** The nice values of a process's pool threads, by their names. */
    public static Map<String, Integer> niceValues(long pid) throws IOException {
        Map<String, Integer> values = new TreeMap<>();
        for (Map.Entry<String, Path> thread : threads(pid).entrySet()) {
            if (isOfPool(thread.getKey())) {
                text(thread.getValue(), "stat").ifPresent(stat -> values.put(thread.getKey(), niceValue(stat)));
            }
        }
        return values;
    }

    private static boolean isOfPool(String name) {
        return name.startsWith(POOL) && !name.startsWith(MAKER);
    }

    /** The kernel's id of a process's thread, by its name. */
    public static String id(long pid, String name) throws IOException {
        Path thread = threads(pid).get(name);
        if (thread == null) {
            throw new IOException("process " + pid + " has no thread " + name);
        }
        return thread.getFileName().toString();
    }

    /** A JVM's own threads come and go: one that ends while this looks at it is not among them. */
    private static Map<String, Path> threads(long pid) throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        Map<String, Path> named = new TreeMap<>();
        while (!areDistinct(pid, named)) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("two threads of the pools have one name: " + named.keySet());
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return named;
    }

    /** A thread has the name of the one that started it until it has taken its own: then it is too early to look. */
    private static boolean areDistinct(long pid, Map<String, Path> named) throws IOException {
        named.clear();
        boolean distinct = true;
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                String name = text(thread, "comm").orElse("").strip();
                distinct &= named.put(name, thread) == null || !isOfPool(name);
            }
        }
        return distinct;
    }

    /** Content of one of a thread's files; empty if the thread has ended. */
    private static Optional<String> text(Path thread, String file) throws IOException {
        try {
            return Optional.of(Files.readString(thread.resolve(file)));
        } catch (IOException failed) { // no such file, or ESRCH: it was there when the file was opened
            if (Files.exists(thread)) {
                throw failed;
            }
            return Optional.empty();
        }
    }

    private static String allowed(String status) {
        return status.lines()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> line.substring(ALLOWED.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no mask in " + status));
    }

    private static int niceValue(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Integer.parseInt(fields[NICE]);
    }
}
