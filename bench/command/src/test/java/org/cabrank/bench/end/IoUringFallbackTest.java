package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server on a machine that really refuses io_uring. If the choice is left to it, it serves over epoll, and one log line
 * gives the reason and the remedy. If io_uring is requested by name, it does not start, with the same reason. The words of
 * all reasons are tested where they are chosen; {@link SeccompProcessTest} has a server fall back in every run.
 */
@InSoak
@NewestJdk
@Timeout(300)
final class IoUringFallbackTest {
    private static final Path DISABLED = Path.of("/proc/sys/kernel/io_uring_disabled");

    /** Skips the tests on a machine without io_uring, where no fallback happens. */
    @BeforeAll
    static void ioUringIsAvailableHere() {
        assumeTrue(PoolMode.whyNoRing() == null, PoolMode::whyNoRing);
    }

    @Test
    void aKernelWithoutIoUringIsReportedAndEpollServes() throws Exception {
        Fallback.assertFallsBack(tracedWith("ENOSYS"), "CONFIG_IO_URING", "(io_uring_setup: ENOSYS)");
    }

    /** The sysctl is the machine's, so the server sees a file in its place, and the kernel is played by strace. */
    @Test
    void sysctlThatForbidsRingsIsReportedAndEpollServes(@TempDir Path directory) throws Exception {
        Path one = Files.writeString(directory.resolve("one"), "1\n");
        List<String> changed = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                "mount --bind '" + one + "' " + DISABLED + " && exec \"$@\"",
                "sh"));
        assumeWorks(changed);
        changed.addAll(tracedWith("EPERM"));
        Fallback.assertFallsBack(changed, "unprivileged", "kernel.io_uring_disabled=1", "CAP_SYS_ADMIN");
    }

    /** Kernels that charge a ring to its user: before 5.12, and again of late, but for the privileged. */
    @Test
    void tooLittleLockedMemoryIsReportedAndEpollServes() throws Exception {
        List<String> limited = List.of("setpriv", "--bounding-set", "-ipc_lock", "prlimit", "--memlock=4096:4096");
        assumeWorks(limited);
        assumeTrue(!Fallback.refusalByName(limited).isEmpty(), "this kernel does not charge rings to RLIMIT_MEMLOCK");
        Fallback.assertFallsBack(limited, "RLIMIT_MEMLOCK (now 4096 bytes; ", "ulimit -l");
    }

    /**
     * A command that runs a server under strace, which returns {@code error} instead of the kernel, in every thread. strace
     * runs as a detached process (-D), so the pid is the server's.
     */
    private static List<String> tracedWith(String error) throws Exception {
        List<String> traced = List.of(
                "strace",
                "-D",
                "-f",
                "--quiet=all",
                "--seccomp-bpf",
                "-o",
                "/dev/null",
                "-e",
                "trace=io_uring_setup",
                "-e",
                "inject=io_uring_setup:error=" + error);
        assumeWorks(traced);
        return traced;
    }

    /** Skips the test where the command is not installed, or may not do what it is to do. */
    private static void assumeWorks(List<String> changed) throws Exception {
        List<String> command = new ArrayList<>(changed);
        command.add("true");
        int status;
        try {
            Process tried = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            status = tried.waitFor();
        } catch (IOException notInstalled) {
            status = -1;
        }
        int answered = status;
        assumeTrue(
                answered == 0,
                () -> Arrays.toString(command.toArray())
                        + (answered < 0 ? " is not installed" : " is not allowed here, it ends with " + answered));
    }
}
