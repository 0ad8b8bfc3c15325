package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.ListenOptions;

/** A socket that listens. The last of the listeners that share the socket closes it. */
public final class ListeningSocket {
    private final Kernel kernel;
    private final int fd;
    private final SocketAddress address;
    private final ListenerState state;

    /** Device and inode of the file of a Unix socket. Null if there is no file, if they are unknown, or if the socket was adopted. */
    private final Object file;

    private final boolean adopted;

    /** True if other processes may use the socket. Guarded by this. */
    private boolean shared;

    private int users;

    /** True if the last {@link #release} leaves the descriptor open. Guarded by this. */
    private boolean leftToCaller;

    private ListeningSocket(
            Kernel kernel, int fd, SocketAddress address, int users, ListenerState state, boolean adopted) {
        this.adopted = adopted;
        this.shared = adopted;
        this.kernel = kernel;
        this.state = state;
        this.fd = fd;
        this.address = address;
        this.users = users;
        this.file = adopted ? null : SocketFile.key(address);
        state.socketOpened();
    }

    /** @param users number of listeners that will share the socket. Each of them must {@link #release} it */
    static ListeningSocket open(
            Kernel kernel,
            SocketOps sockets,
            SocketAddress wanted,
            ListenOptions options,
            boolean reusePort,
            int users,
            ListenerState state)
            throws IOException {
        EncodedOptions encoded = EncodedOptions.ofListener(options, wanted);
        int fd = sockets.streamSocket(wanted);
        if (fd < 0) {
            throw refusal("socket", wanted, fd);
        }
        boolean bound = false;
        try {
            boolean inet = wanted instanceof InetSocketAddress;
            if (inet) {
                option(sockets, fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, "SO_REUSEADDR", wanted);
            }
            if (inet && reusePort) {
                option(sockets, fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, "SO_REUSEPORT", wanted);
            }
            setOptions(encoded, sockets, fd, wanted);
            require("bind", wanted, SocketFile.bind(kernel, sockets, fd, wanted));
            bound = true;
            require("listen", wanted, kernel.listen(fd, options.backlog()));
            return new ListeningSocket(kernel, fd, sockets.localAddress(fd), users, state, false);
        } catch (Throwable refused) {
            if (bound) {
                SocketFile.remove(wanted, SocketFile.key(wanted));
            }
            kernel.close(fd);
            throw refused;
        }
    }

    /** Listens with the socket of another program. The socket belongs to the {@code users} listeners, unless this method throws. */
    static ListeningSocket adopt(
            Kernel kernel, SocketOps sockets, int fd, ListenOptions options, int users, ListenerState state)
            throws IOException {
        try {
            int type = sockets.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE, "SO_TYPE");
            int domain = sockets.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN, "SO_DOMAIN");
            if (type != Sockets.SOCK_STREAM
                    || domain != Sockets.AF_INET && domain != Sockets.AF_INET6 && domain != Sockets.AF_UNIX) {
                throw new IOException("the socket has type " + type + " and family " + domain
                        + "; pass a stream socket (1) of AF_INET (2), AF_INET6 (10) or AF_UNIX (1)");
            }
            int fileFlags = Errno.check("fcntl F_GETFL", kernel.fcntl(fd, FileFlags.F_GETFL, 0));
            Errno.check("fcntl F_SETFL", kernel.fcntl(fd, FileFlags.F_SETFL, fileFlags | FileFlags.O_NONBLOCK));
            Errno.check("fcntl F_SETFD", kernel.fcntl(fd, FileFlags.F_SETFD, FileFlags.FD_CLOEXEC));
            EncodedOptions.ofListener(options, sockets.localAddress(fd)).set(sockets, fd);
            if (sockets.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ACCEPTCONN, "SO_ACCEPTCONN") == 0) {
                Errno.check("listen", kernel.listen(fd, options.backlog()));
            }
            return new ListeningSocket(kernel, fd, sockets.localAddress(fd), users, state, true);
        } catch (KernelException refused) {
            throw new IOException(
                    "cannot listen with descriptor " + fd + ": " + refused.getMessage()
                            + adoptionRemedy(refused.errno()),
                    refused);
        } catch (IOException unfit) {
            throw new IOException("cannot listen with descriptor " + fd + ": " + unfit.getMessage(), unfit);
        }
    }

    private static String adoptionRemedy(int errno) {
        return switch (errno) {
            case Errno.EBADF ->
                "; this process has no such descriptor: check what the starting process passes (systemd sets LISTEN_FDS)";
            case Errno.ENOTSOCK -> "; pass the descriptor of a bound stream socket";
            case Errno.EINVAL -> "; the socket is connected or not bound: pass a socket that is bound";
            default -> "";
        };
    }

    /** Returns true if a bind without SO_REUSEPORT fails because another socket uses this port. {@link #open} reports other errors. */
    static boolean isShared(Kernel kernel, SocketOps sockets, SocketAddress wanted) {
        int probe = sockets.streamSocket(wanted);
        if (probe < 0) {
            return false;
        }
        try {
            // SO_REUSEADDR is set, as for listening sockets, so that connections of a former server in TIME_WAIT do not
            // count.
            return sockets.option(probe, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1) >= 0
                    && sockets.bind(probe, wanted) == -Errno.EADDRINUSE;
        } finally {
            kernel.close(probe);
        }
    }

    private static void setOptions(EncodedOptions options, SocketOps sockets, int fd, SocketAddress wanted)
            throws IOException {
        try {
            options.set(sockets, fd);
        } catch (IOException refused) {
            throw new IOException("cannot listen at " + text(wanted) + ": " + refused.getMessage(), refused);
        }
    }

    private static void option(SocketOps sockets, int fd, int level, int name, String words, SocketAddress wanted)
            throws IOException {
        require("setsockopt " + words, wanted, sockets.option(fd, level, name, 1));
    }

    private static void require(String call, SocketAddress wanted, int result) throws IOException {
        if (result < 0) {
            throw refusal(call, wanted, result);
        }
    }

    private static IOException refusal(String call, SocketAddress wanted, int result) {
        String remedy = remedy(wanted, -result);
        IOException cause = Errno.exception(call, result);
        return new IOException("cannot listen at " + text(wanted) + ": " + cause.getMessage() + remedy, cause);
    }

    private static String remedy(SocketAddress wanted, int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE ->
                wanted instanceof InetSocketAddress
                        ? "; another socket has this port (ss -ltnp shows whose): choose another, or 0 for any"
                        : wanted instanceof UnixDomainSocketAddress
                                ? "; the file exists: remove it if no server uses it any more"
                                : "; another socket has this name (ss -lxp shows whose)";
            case Errno.ENOENT -> "; the directory does not exist";
            case Errno.EACCES ->
                wanted instanceof InetSocketAddress
                        ? "; ports below net.ipv4.ip_unprivileged_port_start (1024) take CAP_NET_BIND_SERVICE: "
                                + "choose a higher port"
                        : "; this user may not write to the directory";
            case Errno.EADDRNOTAVAIL -> "; the address is not one of this host's (ip addr shows them)";
            case Errno.EAFNOSUPPORT -> "; this kernel does not speak this family of addresses";
            case Errno.EMFILE -> "; raise the limit of open files (ulimit -n)";
            default -> "";
        };
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && !inet.isUnresolved()) {
            String host = inet.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return address.toString();
    }

    public int fd() {
        return fd;
    }

    public SocketAddress address() {
        return address;
    }

    /** Returns the local address of accepted connections if it is the same for all; null if the kernel must be asked. */
    public SocketAddress addressOfAccepted() {
        boolean wildcard =
                address instanceof InetSocketAddress inet && inet.getAddress().isAnyLocalAddress();
        return wildcard ? null : address;
    }

    /** Called once by each listener that no longer uses the descriptor. The last call closes the descriptor. */
    public synchronized void release() {
        users--;
        if (users == 0) {
            // The file is removed first, because no other file gets its inode number while the socket is open.
            if (!shared) {
                SocketFile.remove(address, file);
            }
            if (!leftToCaller) {
                kernel.close(fd);
            }
            state.socketClosedOrAllOpened();
        }
    }

    /** Called when listening has failed. The descriptor of an adopted socket then stays open for the caller. */
    synchronized void leaveToCaller() {
        leftToCaller = adopted;
    }

    /**
     * Makes the kernel complete no further handshakes while a connection waits, so that clients try another server. No effect on a shared
     * socket, because another process may accept.
     */
    synchronized void closeBacklog() {
        if (users > 0 && !shared) {
            kernel.listen(fd, 0); // changes the length of the backlog; a refusal does not affect the drain
        }
    }

    /** Ends listening, so that another server can bind the address. No effect on a shared socket. {@link #release} must follow. */
    synchronized void cutOff() {
        if (users > 0 && !shared) {
            SocketFile.remove(address, file);
            kernel.shutdown(fd, Sockets.SHUT_RDWR);
        }
    }

    /** Notes that another process may use the socket from now on. Returns a duplicate, which belongs to the caller. */
    synchronized int share() throws IOException {
        if (users == 0) {
            throw new IOException("the listener at " + text(address) + " is closed: its socket cannot be shared");
        }
        int duplicate = kernel.fcntl(fd, FileFlags.F_DUPFD_CLOEXEC, 0);
        if (duplicate < 0) {
            IOException cause = Errno.exception("fcntl F_DUPFD_CLOEXEC", duplicate);
            throw new IOException(
                    "cannot share the socket at " + text(address) + ": " + cause.getMessage()
                            + remedy(address, -duplicate),
                    cause);
        }
        shared = true;
        return duplicate;
    }

    /** Called after {@link #share} if no other process has taken the socket. */
    synchronized void unshare() {
        shared = adopted;
    }
}
