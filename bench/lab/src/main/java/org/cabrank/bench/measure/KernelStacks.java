package org.cabrank.bench.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/** Checks if stacks of the kernel can be sampled on this machine. */
public final class KernelStacks {

    /** PERF_TYPE_SOFTWARE and PERF_COUNT_SW_CPU_CLOCK of perf_event_open(2): the clock by which async-profiler samples. */
    private static final PerfEvent CPU_CLOCK = new PerfEvent(1, 0);

    private static final Path PARANOID = Path.of("proc/sys/kernel/perf_event_paranoid");
    private static final Path RESTRICT = Path.of("proc/sys/kernel/kptr_restrict");
    private static final Path SYMBOLS = Path.of("proc/kallsyms");
    private static final String USER_ONLY = "Stacks end at the border of the kernel: ";

    private KernelStacks() {}

    /** Returns the reason why stacks of the kernel cannot be sampled, with the remedy, a sentence; empty if they can. */
    public static Optional<String> obstacle(Kernel kernel) {
        return obstacle(kernel, Path.of("/"));
    }

    /** @param root the directory that contains proc(5) */
    static Optional<String> obstacle(Kernel kernel, Path root) {
        int fd = CPU_CLOCK.open(kernel, 0);
        if (fd < 0) {
            return Optional.of(USER_ONLY + refusal(-fd, root) + ".");
        }
        kernel.close(fd);
        return showsSymbols(root)
                ? Optional.empty()
                : Optional.of(
                        USER_ONLY + "the kernel hides its symbols, kernel.kptr_restrict is " + value(root, RESTRICT)
                                + "; run the bench as root, or as root: sysctl kernel.kptr_restrict=0.");
    }

    private static String refusal(int errno, Path root) {
        return switch (errno) {
            case Errno.EACCES, Errno.EPERM ->
                "kernel.perf_event_paranoid is " + value(root, PARANOID)
                        + " or a sandbox forbids them; run the bench as root, or as root: sysctl"
                        + " kernel.perf_event_paranoid=1 kernel.kptr_restrict=0 (in a container, allow perf_event_open)";
            case Errno.ENOSYS ->
                "this kernel has no perf events (CONFIG_PERF_EVENTS), or a sandbox hides them; allow perf_event_open";
            default -> "perf_event_open failed: " + Errno.describe(errno) + "; run the bench as root";
        };
    }

    /** Without permission the kernel shows each address as 0. */
    private static boolean showsSymbols(Path root) {
        try (BufferedReader symbols = Files.newBufferedReader(root.resolve(SYMBOLS), StandardCharsets.ISO_8859_1)) {
            String first = symbols.readLine();
            return first != null && !first.matches("0+ .*");
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static String value(Path root, Path file) {
        try {
            return Files.readString(root.resolve(file), StandardCharsets.US_ASCII)
                    .strip();
        } catch (IOException notShown) {
            return "unknown";
        }
    }
}
