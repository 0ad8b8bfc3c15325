package org.cabrank.systemd;

import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.AbstractUnixAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Timers;

/**
 * Notifies systemd of the state of this service (sd_notify(3)). A notification that systemd does not take is counted and logged. Do not
 * notify in a callback, because a call may block for {@value #PATIENCE_MS} ms if the notify socket is full. Safe for use by any thread.
 */
public final class ServiceNotifier {
    private static final System.Logger LOGGER = System.getLogger(ServiceNotifier.class.getName());

    /** Maximum time of one notification. */
    static final int PATIENCE_MS = 1_000;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int NO_SOCKET = -1;

    private final String target;
    private final SocketAddress address;
    private final String unusable;

    // The following fields are guarded by this.
    private Kernel kernel;
    private int fd = NO_SOCKET;
    private long failures;
    private String reported;

    private ServiceNotifier(String target, SocketAddress address, String unusable) {
        this.target = target;
        this.address = address;
        this.unusable = unusable;
    }

    static ServiceNotifier none() {
        return new ServiceNotifier(null, null, null);
    }

    /** @param target value of {@code NOTIFY_SOCKET}: a path, or {@code @} and an abstract name */
    static ServiceNotifier to(String target) {
        return to(target, null);
    }

    /** @param kernel if null, {@link Kernels#system} is used */
    static ServiceNotifier to(String target, Kernel kernel) {
        ServiceNotifier notifier;
        if (target.startsWith("/")) {
            notifier = new ServiceNotifier(target, UnixDomainSocketAddress.of(target), null);
        } else if (target.startsWith("@") && target.length() > 1) {
            notifier = new ServiceNotifier(target, new AbstractUnixAddress(target.substring(1)), null);
        } else {
            notifier = new ServiceNotifier(
                    target, null, "only a Unix socket is supported: an absolute path, or @ and an abstract name");
        }
        notifier.kernel = kernel;
        return notifier;
    }

    /** Returns true if systemd has asked for notifications ({@code Type=notify}). */
    public boolean isAsked() {
        return target != null;
    }

    /**
     * Notifies systemd that the service is ready, at the start or after a reload ({@code READY=1}).
     *
     * @param status line for {@code systemctl status}
     * @return true if systemd has taken the notification
     */
    public boolean ready(String status) {
        return send("READY=1", status(status));
    }

    /** Sets the line that {@code systemctl status} shows ({@code STATUS=}). Line breaks become blanks. */
    public boolean showStatus(String status) {
        return send(status(status));
    }

    /** Notifies systemd that the service reloads its configuration ({@code RELOADING=1}). Call {@link #ready} afterwards. */
    public boolean reloading() {
        // Type=notify-reload needs CLOCK_MONOTONIC, which System.nanoTime reads on Linux.
        return send("RELOADING=1", "MONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
    }

    /**
     * Notifies systemd that the service ends ({@code STOPPING=1}). Call it before the reactor is closed.
     *
     * @param most maximum time until the process ends. Systemd waits for this time ({@code EXTEND_TIMEOUT_USEC}).
     */
    public boolean stopping(Duration most) {
        return send("STOPPING=1", "EXTEND_TIMEOUT_USEC=" + TimeUnit.NANOSECONDS.toMicros(Timers.delayNs(most)));
    }

    /** Feeds the watchdog ({@code WATCHDOG=1}). */
    public boolean alive() {
        return send("WATCHDOG=1");
    }

    private static String status(String status) {
        return "STATUS="
                + status.lines()
                        .map(String::strip)
                        .reduce((a, b) -> a + " " + b)
                        .orElse("");
    }

    /** Number of notifications that systemd did not take. */
    public synchronized long failures() {
        return failures;
    }

    /** Sends assignments of sd_notify(3). Returns false if systemd did not take them or has not asked for notifications. */
    public synchronized boolean send(String... assignments) {
        Objects.requireNonNull(assignments, "assignments");
        if (target == null) {
            return false;
        }
        String failure = unusable != null ? unusable : trySend(String.join("\n", assignments));
        if (failure == null) {
            reported = null;
            return true;
        }
        failures++;
        if (!failure.equals(reported)) {
            reported = failure;
            LOGGER.log(
                    Level.WARNING,
                    "systemd was not notified (" + assignments[0] + ") by NOTIFY_SOCKET=" + target + ": " + failure
                            + "; start the service by its unit with NotifyAccess=main, or unset NOTIFY_SOCKET");
        }
        return false;
    }

    /** Returns null, or the cause of the failure. */
    private String trySend(String text) {
        try {
            if (kernel == null) {
                kernel = Kernels.system();
            }
        } catch (KernelUnavailableException none) {
            return none.getMessage();
        }
        if (fd == NO_SOCKET) { // kept open: a service without a free descriptor must still feed its watchdog
            int opened = kernel.socket(Sockets.AF_UNIX, Sockets.SOCK_DGRAM | Sockets.SOCK_CLOEXEC, 0);
            if (opened < 0) {
                return "socket: " + Errno.describe(-opened);
            }
            fd = opened;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer memory = ByteBuffer.allocateDirect(SocketAddresses.ROOM_BYTES + bytes.length)
                .order(ByteOrder.nativeOrder());
        int length;
        try {
            length = SocketAddresses.encode(address, memory);
        } catch (IllegalArgumentException tooLong) {
            return tooLong.getMessage();
        }
        memory.put(SocketAddresses.ROOM_BYTES, bytes);
        int result = sendPatiently(memory, bytes.length, length);
        return result >= 0 ? null : "sendto: " + Errno.describe(-result);
    }

    private int sendPatiently(ByteBuffer memory, int count, int addressLength) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (true) {
            int result = NativeArgument.pass(
                    kernel,
                    memory,
                    base -> kernel.sendto(
                            fd,
                            base + SocketAddresses.ROOM_BYTES,
                            count,
                            Sockets.MSG_NOSIGNAL | Sockets.MSG_DONTWAIT,
                            base,
                            addressLength));
            boolean passes = result == -Errno.EAGAIN || result == -Errno.EINTR || result == -Errno.ENOBUFS;
            if (!passes || System.nanoTime() - deadlineNs >= 0) {
                return result;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }
}
