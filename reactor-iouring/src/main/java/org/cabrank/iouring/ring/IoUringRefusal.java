package org.cabrank.iouring.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.Resources;
import org.cabrank.kernel.layout.ResourceLimit;
import org.cabrank.stream.BackendUnavailableException;

/** Messages with the cause and the remedy if io_uring is unavailable. */
final class IoUringRefusal {
    static final Path SYSCTLS = Path.of("/proc/sys/kernel");

    private static final String CALLS = "io_uring_setup, io_uring_enter and io_uring_register";

    private IoUringRefusal() {}

    static BackendUnavailableException ofSetup(Kernel kernel, int errno, RingOptions options) {
        return ofSetup(kernel, errno, options, SYSCTLS);
    }

    /** @param sysctls replaces {@link #SYSCTLS} */
    static BackendUnavailableException ofSetup(Kernel kernel, int errno, RingOptions options, Path sysctls) {
        return new BackendUnavailableException("io_uring: " + setupReason(kernel, errno, options, sysctls)
                + " (io_uring_setup: " + Errno.name(errno) + ")");
    }

    private static String setupReason(Kernel kernel, int errno, RingOptions options, Path sysctls) {
        return switch (errno) {
            case Errno.EPERM -> forbidden(sysctls);
            case Errno.EACCES ->
                "a security module such as SELinux forbids it to this process; allow it there the io_uring class";
            case Errno.ENOSYS ->
                "this kernel was built without it (CONFIG_IO_URING), or a seccomp filter answers as if it were; use another kernel, or a"
                        + " filter that allows " + CALLS;
            case Errno.ENOMEM -> noMemory(kernel, options);
            case Errno.EMFILE, Errno.ENFILE -> noDescriptors(kernel, errno);
            case Errno.EINVAL -> invalid();
            default -> "a ring is refused with " + Errno.describe(errno);
        };
    }

    private static String forbidden(Path sysctls) {
        return switch (sysctl(sysctls, "io_uring_disabled")) {
            case "2" ->
                "it is disabled for every process by the sysctl kernel.io_uring_disabled=2; allow it with"
                        + " sysctl -w kernel.io_uring_disabled=0";
            case "1" -> reserved(sysctl(sysctls, "io_uring_group"));
            default ->
                "a seccomp filter forbids it, as those of container runtimes do; run with a profile that allows "
                        + CALLS;
        };
    }

    private static String reserved(String group) {
        String join = group.isEmpty() || group.equals("-1")
                ? "name a group of this user in the sysctl kernel.io_uring_group"
                : "put this user into the group " + group + " (sysctl kernel.io_uring_group)";
        return "it is disabled for unprivileged processes by the sysctl kernel.io_uring_disabled=1; " + join
                + ", grant CAP_SYS_ADMIN, or allow it with sysctl -w kernel.io_uring_disabled=0";
    }

    private static String sysctl(Path sysctls, String name) {
        try {
            return Files.readString(sysctls.resolve(name)).trim();
        } catch (IOException notToBeRead) {
            return "";
        }
    }

    private static String noMemory(Kernel kernel, RingOptions options) {
        return "no memory for a ring of " + options.submissionEntries() + " submissions and "
                + options.completionEntries() + " completions: raise RLIMIT_MEMLOCK"
                + limit(kernel, Resources.RLIMIT_MEMLOCK, " bytes")
                + "; ulimit -l, LimitMEMLOCK= of systemd), which some kernels charge it to, or the memory limit of the"
                + " cgroup";
    }

    private static String noDescriptors(Kernel kernel, int errno) {
        return errno == Errno.ENFILE
                ? "the system has too many open files; raise the sysctl fs.file-max"
                : "this process has too many open descriptors; raise RLIMIT_NOFILE"
                        + limit(kernel, Resources.RLIMIT_NOFILE, "") + "; ulimit -n, LimitNOFILE= of systemd)";
    }

    /** Returns the soft limit of this process behind an open parenthesis, which the caller closes. */
    private static String limit(Kernel kernel, int resource, String unit) {
        ByteBuffer limit = ByteBuffer.allocateDirect(ResourceLimit.SIZE_BYTES).order(ByteOrder.nativeOrder());
        if (NativeArgument.pass(kernel, limit, address -> kernel.getrlimit(resource, address)) < 0) {
            return " (not known";
        }
        long soft = limit.getLong(ResourceLimit.CUR_OFFSET);
        return " (now " + (soft == Resources.RLIM_INFINITY ? "unlimited" : Long.toUnsignedString(soft) + unit);
    }

    private static String invalid() {
        return "this kernel is too old, it knows none of the flags that are needed; use Linux 6.0 or later";
    }

    /** Returns the exception for a step that failed after io_uring_setup(2). */
    static BackendUnavailableException of(Kernel kernel, KernelException failure) {
        String help = switch (failure.errno()) {
            case Errno.ENOMEM ->
                "; raise RLIMIT_MEMLOCK" + limit(kernel, Resources.RLIMIT_MEMLOCK, " bytes")
                        + "; ulimit -l, LimitMEMLOCK= of systemd), or the memory limit of the cgroup";
            case Errno.EMFILE, Errno.ENFILE -> "; " + noDescriptors(kernel, failure.errno());
            case Errno.EPERM, Errno.ENOSYS -> "; a seccomp filter may forbid it: it must allow " + CALLS;
            default -> "";
        };
        return new BackendUnavailableException("io_uring: " + failure.getMessage() + help);
    }

    static BackendUnavailableException tooOld(String what, String since) {
        return new BackendUnavailableException("io_uring: this kernel is too old, it has not " + what + " (Linux "
                + since + "); use Linux 6.0 or later");
    }

    static BackendUnavailableException optionMissing(String what, String since) {
        return new BackendUnavailableException("io_uring: this kernel has not what an option asks for, " + what
                + "; use Linux " + since + " or later, or leave the option out");
    }
}
