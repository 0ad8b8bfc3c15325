package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server on a machine that really refuses io_uring. If the choice is left to it, it serves over epoll, and one log line
 * gives the reason and the remedy. If io_uring is requested by name, it does not start, with the same reason.
 */
@NewestJdk
@Timeout(300)
final class IoUringFallbackTest {
    private static final Path DISABLED = Path.of("/proc/sys/kernel/io_uring_disabled");

    /** Skips the tests on a machine without io_uring, where no fallback happens. */
    @BeforeAll
    static void ioUringIsAvailableHere() throws Exception {
        String refusal = Fallback.refusalByName(List.of());
        assumeTrue(refusal.isEmpty(), () -> "io_uring is refused here to begin with: " + refusal);
    }

    @Test
    void aSeccompFilterIsToldAndRunAroundByEpoll() throws Exception {
        List<String> filtered = tracedWith("EPERM");
        Fallback.assertFallsBack(filtered, "a seccomp filter forbids it", "(io_uring_setup: EPERM)");
    }

    @Test
    void aKernelWithoutIoUringIsToldAndRunAroundByEpoll() throws Exception {
        Fallback.assertFallsBack(tracedWith("ENOSYS"), "CONFIG_IO_URING", "(io_uring_setup: ENOSYS)");
    }

    /**
     * Sets the sysctl to 1, which refuses unprivileged processes only, so that processes of root are not affected. The
     * server runs as root, but without the capability that counts.
     */
    @Test
    void theSysctlIsToldAndRunAroundByEpoll() throws Exception {
        assumeTrue(Files.isWritable(DISABLED), "only root may change " + DISABLED);
        List<String> unprivileged = List.of("setpriv", "--bounding-set", "-sys_admin");
        assumeWorks(unprivileged);
        String before = Files.readString(DISABLED);
        Files.writeString(DISABLED, "1");
        try {
            Fallback.assertFallsBack(unprivileged, "unprivileged", "kernel.io_uring_disabled=1", "CAP_SYS_ADMIN");
        } finally {
            Files.writeString(DISABLED, before);
        }
    }

    /** Kernels that charge a ring to its user: before 5.12, and again of late, but for the privileged. */
    @Test
    void tooLittleLockedMemoryIsToldAndRunAroundByEpoll() throws Exception {
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
