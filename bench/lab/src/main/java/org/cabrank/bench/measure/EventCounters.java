package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;

/**
 * Counts events of all threads of a process, including threads that start later. Counting makes each event slower, so
 * results of the interval must not be compared with those of uncounted intervals. Not thread-safe; {@link #close} ends the counting.
 */
public final class EventCounters implements AutoCloseable {

    private static final Path PROC = Path.of("/proc");

    private static final int ENABLED_OFFSET = Long.BYTES;
    private static final int RUNNING_OFFSET = 2 * Long.BYTES;
    private static final int READ_BYTES = 3 * Long.BYTES;

    private final Kernel kernel;
    private final Map<CountedEvent, List<Integer>> counters = new EnumMap<>(CountedEvent.class);
    private final ByteBuffer read = ByteBuffer.allocateDirect(READ_BYTES).order(ByteOrder.nativeOrder());

    private EventCounters(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * Counts from now on. The process must be stopped: a thread that comes while its maker's counters are being made would
     * be counted twice or not at all.
     *
     * @throws UncountableException when the kernel refuses, for want of descriptors for instance
     * @throws IOException when the process is gone
     */
    public static EventCounters open(Kernel kernel, CountableEvents countable, long pid)
            throws UncountableException, IOException {
        EventCounters counters = new EventCounters(kernel);
        boolean opened = false;
        try {
            for (int tid : threads(pid)) {
                for (Map.Entry<CountedEvent, PerfEvent> event :
                        countable.events().entrySet()) {
                    counters.add(event.getKey(), event.getValue().open(kernel, tid));
                }
            }
            opened = true;
            return counters;
        } finally {
            if (!opened) {
                counters.close();
            }
        }
    }

    private static List<Integer> threads(long pid) throws IOException {
        try (Stream<Path> tasks =
                Files.list(ProcFiles.processDirectory(PROC, pid).resolve("task"))) {
            return tasks.map(task -> Integer.parseInt(task.getFileName().toString()))
                    .toList();
        }
    }

    private void add(CountedEvent event, int fd) throws UncountableException {
        if (fd == -Errno.ESRCH) {
            return; // killed while it stood stopped: who asks it for something else finds out
        }
        if (fd < 0) {
            throw new UncountableException("perf_event_open: " + Errno.describe(-fd)
                    + (fd == -Errno.EMFILE ? " (one for each thread and event is needed: raise ulimit -n)" : ""));
        }
        counters.computeIfAbsent(event, first -> new ArrayList<>()).add(fd);
    }

    /** Counts of each event since the start. */
    public Map<CountedEvent, Long> read() throws KernelException {
        Map<CountedEvent, Long> sums = new EnumMap<>(CountedEvent.class);
        for (Map.Entry<CountedEvent, List<Integer>> counter : counters.entrySet()) {
            long sum = 0;
            for (int fd : counter.getValue()) {
                Errno.check(
                        "read of a counter",
                        NativeArgument.pass(kernel, read, address -> kernel.read(fd, address, READ_BYTES)));
                sum += whole(read.getLong(0), read.getLong(ENABLED_OFFSET), read.getLong(RUNNING_OFFSET));
            }
            sums.put(counter.getKey(), sum);
        }
        return sums;
    }

    /**
     * Extrapolates a count. If the CPU has too few counters, the kernel lets events take turns: the count covers
     * {@code runningNs} of {@code enabledNs}.
     */
    static long whole(long count, long enabledNs, long runningNs) {
        return runningNs == 0 || runningNs == enabledNs ? count : Math.round((double) count * enabledNs / runningNs);
    }

    @Override
    public void close() {
        counters.values().forEach(each -> each.forEach(kernel::close));
        counters.clear();
    }

    /** A process's events cannot be counted; the message says why, and what to do about it. */
    public static final class UncountableException extends Exception {

        private static final long serialVersionUID = 1L;

        UncountableException(String message) {
            super(message);
        }
    }
}
