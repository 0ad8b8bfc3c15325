package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.iouring.AccountingKernel;
import org.cabrank.iouring.Rings;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each cause is recognised, and named with its remedy in one line. */
class IoUringRefusalTest {
    @TempDir
    Path sysctls;

    private String text(int errno) {
        return text(errno, RingOptions.DEFAULT);
    }

    private String text(int errno, RingOptions options) {
        String message = IoUringRefusal.ofSetup(TestKernel.any(), errno, options, sysctls)
                .getMessage();
        assertFalse(message.contains("\n"), message);
        assertTrue(message.startsWith("io_uring: "), message);
        assertTrue(message.endsWith("(io_uring_setup: " + Errno.name(errno) + ")"), message);
        return message;
    }

    private void sysctl(String name, String value) throws IOException {
        Files.writeString(sysctls.resolve(name), value + "\n");
    }

    private static void contains(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), message + "\n does not contain: " + part);
        }
    }

    @Test
    void theSysctlThatDisablesItForAllIsNamed() throws IOException {
        sysctl("io_uring_disabled", "2");
        contains(
                text(Errno.EPERM),
                "every process",
                "kernel.io_uring_disabled=2",
                "sysctl -w kernel.io_uring_disabled=0");
    }

    @Test
    void theSysctlThatDisablesItForTheUnprivilegedIsNamedWithTheGroupThatMay() throws IOException {
        sysctl("io_uring_disabled", "1");
        sysctl("io_uring_group", "-1");
        contains(text(Errno.EPERM), "unprivileged", "kernel.io_uring_disabled=1", "name a group", "CAP_SYS_ADMIN");
        sysctl("io_uring_group", "998");
        contains(text(Errno.EPERM), "put this user into the group 998", "sysctl -w kernel.io_uring_disabled=0");
    }

    @Test
    void aSeccompFilterIsNamedWhereNoSysctlForbidsIt() throws IOException {
        contains(text(Errno.EPERM), "seccomp", "io_uring_setup, io_uring_enter and io_uring_register");
        sysctl("io_uring_disabled", "0");
        contains(text(Errno.EPERM), "seccomp", "container");
    }

    @Test
    void aKernelWithoutItIsNamed() {
        contains(text(Errno.ENOSYS), "CONFIG_IO_URING", "seccomp");
    }

    @Test
    void theLimitOfLockedMemoryIsNamedWithItsValue() {
        contains(
                text(Errno.ENOMEM),
                "1024 submissions and 16384 completions",
                "RLIMIT_MEMLOCK (now ",
                "ulimit -l",
                "cgroup");
    }

    @Test
    void theLimitOfDescriptorsIsNamed() {
        contains(text(Errno.EMFILE), "RLIMIT_NOFILE (now ", "ulimit -n");
        contains(text(Errno.ENFILE), "fs.file-max");
    }

    @Test
    void aKernelThatIsTooOldIsReported() {
        contains(text(Errno.EINVAL), "too old", "Linux 6.0");
    }

    @Test
    void unknownValuesArePrintedUnchanged() {
        contains(text(Errno.EIO), "EIO (input/output error)");
        contains(text(Errno.EACCES), "SELinux");
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,io_uring_setup: EPERM",
        "1,12,RLIMIT_MEMLOCK",
        "2,12,RLIMIT_MEMLOCK",
        "6,1,seccomp",
        "1,24,RLIMIT_NOFILE"
    })
    void whateverStepFailsTheReasonComesWithARemedy(int nth, int errno, String words) {
        AccountingKernel kernel = new AccountingKernel(TestKernel.any()).refuse(nth, errno);
        String message = assertThrows(BackendUnavailableException.class, () -> Ring.open(kernel, Rings.SMALL))
                .getMessage();
        contains(message, words);
        assertFalse(message.contains("\n"), message);
        assertEquals("", kernel.kept());
    }
}
