package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A memory cgroup of its own for a process, with a limit; of version 1 or 2, whichever this machine has. */
final class MemoryCgroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final Path VERSION_1 = ROOT.resolve("memory");
    private static final long LOOK_NS = 5_000_000;
    private static final int LOOKS_MAX = 2_000;

    private final Path group;
    private final boolean second;

    private MemoryCgroup(Path group, boolean second) {
        this.group = group;
        this.second = second;
    }

    /** Makes a cgroup of at most so many bytes, without swap; skips the test where none can be made. */
    static MemoryCgroup of(long bytes) {
        boolean second = Files.exists(ROOT.resolve("cgroup.controllers"));
        String name = "cabrank-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        MemoryCgroup made = new MemoryCgroup((second ? ROOT : VERSION_1).resolve(name), second);
        String refusal = "";
        try {
            Files.createDirectory(made.group);
            Files.writeString(
                    made.group.resolve(second ? "memory.max" : "memory.limit_in_bytes"), Long.toString(bytes));
            Path swap = made.group.resolve(second ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
            if (Files.exists(swap)) {
                Files.writeString(swap, second ? "0" : Long.toString(bytes));
            }
        } catch (IOException refused) {
            refusal = "this process may not limit memory by a cgroup: " + refused;
            made.close();
        }
        assumeTrue(refusal.isEmpty(), refusal);
        return made;
    }

    /** The beginning of a command line whose rest runs in the cgroup, with the same process id. */
    List<String> command() {
        return List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                group.resolve("cgroup.procs").toString());
    }

    /** Returns the number of processes that the kernel has killed because the limit was reached. */
    long killed() throws IOException {
        Path counters = group.resolve(second ? "memory.events" : "memory.oom_control");
        return Files.readAllLines(counters).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    /** Removes the cgroup; a process that has just ended may still be in it for a moment. */
    @Override
    public void close() {
        for (int looks = 0; Files.exists(group) && !group.toFile().delete() && looks < LOOKS_MAX; looks++) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
