package org.cabrank.systemd;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileCalls;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.StreamReactor;

/**
 * Gives access to the sockets, the notify socket and the watchdog that systemd has passed to this process. Safe for use by any thread.
 * Child processes ignore the inherited variables, because these contain the id of this process (sd_listen_fds(3)).
 */
public final class Systemd {
    /** Number of the first passed descriptor (SD_LISTEN_FDS_START). */
    public static final int FIRST_FD = 3;

    private static final String LISTEN_PID = "LISTEN_PID";
    private static final String LISTEN_FDS = "LISTEN_FDS";
    private static final String LISTEN_FDNAMES = "LISTEN_FDNAMES";
    private static final String NOTIFY_SOCKET = "NOTIFY_SOCKET";
    private static final String WATCHDOG_PID = "WATCHDOG_PID";
    private static final String WATCHDOG_USEC = "WATCHDOG_USEC";

    /** A larger number in {@link #LISTEN_FDS} is an error. */
    private static final int SOCKETS_MAX = 65_536;

    private final Map<String, String> environment;
    private final long pid;
    private final ServiceNotifier notifier;

    private Systemd(Map<String, String> environment, long pid) {
        this.environment = Map.copyOf(environment);
        this.pid = pid;
        String address = environment.get(NOTIFY_SOCKET);
        notifier = address == null ? ServiceNotifier.none() : ServiceNotifier.to(address);
    }

    /** Returns the environment of this process. Makes no system call. */
    public static Systemd current() {
        return of(System.getenv(), ProcessHandle.current().pid());
    }

    static Systemd of(Map<String, String> environment, long pid) {
        return new Systemd(environment, pid);
    }

    /**
     * Returns the sockets that systemd has passed to this process, in the order of the socket units. Marks them so that child processes do
     * not inherit them. The list is empty if systemd has passed no sockets.
     *
     * @throws IOException if a variable is wrong, or if a descriptor is not open. The message has the cause and the remedy.
     */
    public List<PassedSocket> sockets() throws IOException {
        if (!isOwn(LISTEN_PID)) {
            return List.of();
        }
        int count = (int) number(LISTEN_FDS, SOCKETS_MAX);
        if (count == 0) {
            return List.of();
        }
        List<String> names = names(count);
        Kernel kernel = Kernels.system();
        List<PassedSocket> sockets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keepFromChildren(kernel, FIRST_FD + i, count);
            sockets.add(new PassedSocket(FIRST_FD + i, names.get(i)));
        }
        return List.copyOf(sockets);
    }

    /**
     * Returns the descriptors of all passed sockets. The array is never empty.
     *
     * @throws IOException if {@link #sockets} throws it, or if no socket was passed
     */
    public int[] descriptors() throws IOException {
        List<PassedSocket> sockets = sockets();
        if (sockets.isEmpty()) {
            throw noneWasPassed();
        }
        return sockets.stream().mapToInt(PassedSocket::fd).toArray();
    }

    /**
     * Returns the descriptors of the passed sockets that have this {@link PassedSocket#name}. The array is never empty.
     *
     * @throws IOException if {@link #sockets} throws it, or if no socket has this name. The message has the passed names.
     */
    public int[] descriptors(String name) throws IOException {
        Objects.requireNonNull(name, "name");
        List<PassedSocket> sockets = sockets();
        if (sockets.isEmpty()) {
            throw noneWasPassed();
        }
        int[] named = sockets.stream()
                .filter(socket -> socket.name().equals(name))
                .mapToInt(PassedSocket::fd)
                .toArray();
        if (named.length == 0) {
            String passed = sockets.stream().map(PassedSocket::name).distinct().collect(Collectors.joining(", "));
            throw new IOException("systemd has passed no socket of the name '" + name + "', but: " + passed
                    + "; use one of these names, or set FileDescriptorName=" + name + " in the socket unit");
        }
        return named;
    }

    private IOException noneWasPassed() {
        String elsewhere = environment.get(LISTEN_PID);
        return new IOException("systemd has passed no socket to this process: "
                + (elsewhere == null || isOwn(LISTEN_PID)
                        ? "LISTEN_FDS is not set or 0; start the service by its socket unit"
                        : "LISTEN_PID is " + elsewhere + " and the process " + pid
                                + "; have the unit start this process itself (exec in a script)"));
    }

    private static void keepFromChildren(FileCalls kernel, int fd, int count) throws IOException {
        int flags = kernel.fcntl(fd, FileFlags.F_GETFD, 0);
        int result = flags < 0 ? flags : kernel.fcntl(fd, FileFlags.F_SETFD, flags | FileFlags.FD_CLOEXEC);
        if (result < 0) {
            throw new IOException(
                    "LISTEN_FDS names " + count + " descriptors, but descriptor " + fd + " is unavailable: "
                            + Errno.describe(-result)
                            + "; start the service by its socket unit, without a program between"
                            + " that closes descriptors",
                    Errno.exception("fcntl", result));
        }
    }

    private List<String> names(int count) throws IOException {
        String names = environment.get(LISTEN_FDNAMES);
        if (names == null) {
            return Collections.nCopies(count, PassedSocket.NAME_UNKNOWN);
        }
        List<String> list = List.of(names.split(":", -1));
        if (list.size() != count) {
            throw new IOException("LISTEN_FDNAMES has " + list.size() + " names ('" + names + "'), but LISTEN_FDS is "
                    + count + "; leave both variables to systemd");
        }
        return list;
    }

    /** Returns the notifier. Outside of systemd, it has no effect. */
    public ServiceNotifier notifier() {
        return notifier;
    }

    /**
     * Returns the interval of the watchdog ({@code WatchdogSec=}). Returns zero if this process has no watchdog.
     *
     * @throws IOException if the variable is not a number of microseconds
     */
    public Duration watchdogInterval() throws IOException {
        if (environment.get(WATCHDOG_USEC) == null || environment.get(WATCHDOG_PID) != null && !isOwn(WATCHDOG_PID)) {
            return Duration.ZERO;
        }
        return Duration.of(number(WATCHDOG_USEC, Long.MAX_VALUE), ChronoUnit.MICROS);
    }

    /**
     * Notifies systemd that the service is ready, and feeds the watchdog while every shard of {@code reactor} is served. Close the returned
     * object after the reactor. Install the shutdown hook before this call, because systemd may stop a service as soon as it is ready.
     *
     * @param status line for {@code systemctl status}
     * @throws IOException if a variable is wrong. Then systemd was not notified.
     */
    public Supervision supervise(StreamReactor reactor, String status) throws IOException {
        return Supervision.begin(notifier, watchdogInterval(), reactor::liveness, status);
    }

    private boolean isOwn(String variable) {
        return Long.toString(pid).equals(environment.get(variable));
    }

    /** Returns 0 if the variable is not set. A value must be from 0 to {@code most}. */
    private long number(String variable, long most) throws IOException {
        String text = environment.get(variable);
        if (text == null) {
            return 0;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong(variable, text, most, notANumber);
        }
        throw wrong(variable, text, most, null);
    }

    private static IOException wrong(String variable, String text, long most, Exception cause) {
        return new IOException(
                variable + " is '" + text + "', but must be a number from 0 to " + most + "; leave it to systemd",
                cause);
    }
}
