package org.cabrank.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.PerfEvents;

/**
 * Events that this process may count on this machine, for itself and its child processes.
 *
 * @param events the countable events, with the kernel's description of each
 * @param leftOut the reason for each kind of event that cannot be counted, a sentence each
 */
public record CountableEvents(Map<CountedEvent, PerfEvent> events, List<String> leftOut) {

    private static final String CALLS = "System calls are not counted: ";
    private static final String HARDWARE = "Instructions, cycles and cache misses are not counted: ";

    private static final Path TRACEFS = Path.of("sys/kernel/tracing");
    private static final Path SYSTEM_CALLS = TRACEFS.resolve("events/raw_syscalls/sys_enter/id");
    private static final Path PARANOID = Path.of("proc/sys/kernel/perf_event_paranoid");

    private static final Map<CountedEvent, Integer> OF_THE_CPU = Map.of(
            CountedEvent.INSTRUCTIONS, PerfEvents.PERF_COUNT_HW_INSTRUCTIONS,
            CountedEvent.CYCLES, PerfEvents.PERF_COUNT_HW_CPU_CYCLES,
            CountedEvent.CACHE_MISSES, PerfEvents.PERF_COUNT_HW_CACHE_MISSES);

    public CountableEvents {
        events = Map.copyOf(events);
        leftOut = List.copyOf(leftOut);
    }

    /** Tries each on the calling thread. */
    public static CountableEvents of(Kernel kernel) {
        return of(kernel, Path.of("/"));
    }

    /** @param root the directory that contains sysfs and proc(5) */
    static CountableEvents of(Kernel kernel, Path root) {
        Map<CountedEvent, PerfEvent> events = new EnumMap<>(CountedEvent.class);
        List<String> leftOut = new ArrayList<>();
        try {
            PerfEvent calls = new PerfEvent(PerfEvents.PERF_TYPE_TRACEPOINT, number(root.resolve(SYSTEM_CALLS)));
            String refusal = refusal(kernel, root, calls);
            if (refusal == null) {
                events.put(CountedEvent.SYSTEM_CALLS, calls);
            } else {
                leftOut.add(CALLS + refusal + ".");
            }
        } catch (IOException unreadable) {
            leftOut.add(CALLS + words(unreadable, root) + ".");
        }
        String refusal = null;
        for (Map.Entry<CountedEvent, Integer> each : OF_THE_CPU.entrySet()) {
            PerfEvent event = new PerfEvent(PerfEvents.PERF_TYPE_HARDWARE, each.getValue());
            String why = refusal(kernel, root, event);
            if (why == null) {
                events.put(each.getKey(), event);
            } else {
                refusal = why;
            }
        }
        if (refusal != null) {
            leftOut.add(HARDWARE + refusal + ".");
        }
        return new CountableEvents(events, leftOut);
    }

    /** None of them any more. */
    public CountableEvents without(String why) {
        List<String> sentences = new ArrayList<>(leftOut);
        sentences.add(why);
        return new CountableEvents(Map.of(), sentences);
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    private static long number(Path file) throws IOException {
        return Long.parseLong(Files.readString(file, StandardCharsets.US_ASCII).strip());
    }

    private static String words(IOException unreadable, Path root) {
        if (!(unreadable instanceof NoSuchFileException)) {
            return "this user may not read /" + SYSTEM_CALLS + " (run the bench as root)";
        }
        return Files.exists(root.resolve(TRACEFS).resolve("events"))
                ? "this kernel has no tracepoint for them (CONFIG_FTRACE_SYSCALLS)"
                : "there is no tracefs (as root: mount -t tracefs tracefs /" + TRACEFS + ")";
    }

    /** Returns the reason why {@code event} cannot be counted; null if it can. */
    private static String refusal(Kernel kernel, Path root, PerfEvent event) {
        int fd = event.open(kernel, 0);
        if (fd >= 0) {
            kernel.close(fd);
            return null;
        }
        return switch (-fd) {
            case Errno.ENOENT, Errno.ENODEV, Errno.EOPNOTSUPP ->
                event.type() == PerfEvents.PERF_TYPE_HARDWARE
                        ? "there are no hardware counters on this machine"
                        : "the kernel does not know its own tracepoint " + event.config();
            case Errno.EACCES, Errno.EPERM ->
                "kernel.perf_event_paranoid is " + paranoid(root)
                        + " or a sandbox forbids it (run the bench as root, or as root: sysctl"
                        + " kernel.perf_event_paranoid=-1; in a container, allow perf_event_open)";
            case Errno.ENOSYS -> "this kernel has no counters (CONFIG_PERF_EVENTS), or a sandbox hides them";
            default -> "perf_event_open: " + Errno.describe(-fd);
        };
    }

    private static String paranoid(Path root) {
        try {
            return Long.toString(number(root.resolve(PARANOID)));
        } catch (IOException notShown) {
            return "unknown";
        }
    }
}
