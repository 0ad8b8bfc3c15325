package org.cabrank.netty;

import io.netty.channel.ChannelException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.SocketOps;

/**
 * Descriptor of a channel. The holder of the strand sends and receives without a lock, until it has requested the close. Any thread may ask
 * for options and addresses. These calls and the close exclude each other, because the kernel may reuse a descriptor's number.
 */
final class ChannelSocket {
    static final Kernel KERNEL = kernel();

    static final SocketOps CALLS = new SocketOps(KERNEL);
    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};
    private static final int AF_INET6_UNAVAILABLE = -Errno.EAFNOSUPPORT;
    private static final int FLAGS = Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC;

    private final int fd;
    private final int domain;

    /** Address of the peer if the connection was accepted. If null, the kernel must be asked. */
    private final SocketAddress acceptedFrom;

    private volatile boolean shared;

    private volatile boolean closed;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    private final ChannelSocketOptions options = new ChannelSocketOptions(this);

    private ChannelSocket(int fd, int domain, SocketAddress acceptedFrom) {
        this.fd = fd;
        this.domain = domain;
        this.acceptedFrom = acceptedFrom;
    }

    private static Kernel kernel() {
        try {
            return Kernels.system();
        } catch (KernelUnavailableException none) {
            throw new ChannelException(none.getMessage(), none);
        }
    }

    /** Opens a socket for IPv6 and IPv4, or only for IPv4 if the kernel has no IPv6 or {@code java.net.preferIPv4Stack} is true. */
    static ChannelSocket open(int type) {
        if (!Boolean.getBoolean("java.net.preferIPv4Stack")) {
            int fd = KERNEL.socket(Sockets.AF_INET6, type | FLAGS, 0);
            if (fd >= 0) {
                CALLS.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 0);
                return new ChannelSocket(fd, Sockets.AF_INET6, null);
            }
            if (fd != AF_INET6_UNAVAILABLE) {
                throw refused(fd);
            }
        }
        return open(Sockets.AF_INET, type);
    }

    static ChannelSocket open(int domain, int type) {
        int fd = KERNEL.socket(domain, type | FLAGS, 0);
        if (fd < 0) {
            throw refused(fd);
        }
        return new ChannelSocket(fd, domain, null);
    }

    /** Takes over a listening socket of another program. The result owns the descriptor, unless this method throws. */
    static ChannelSocket adopt(int fd) {
        try {
            if (CALLS.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ACCEPTCONN, "SO_ACCEPTCONN") == 0) {
                throw new IOException("the socket does not listen");
            }
            int domain = CALLS.intOption(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN, "SO_DOMAIN");
            int fileFlags = Errno.check("fcntl F_GETFL", KERNEL.fcntl(fd, FileFlags.F_GETFL, 0));
            Errno.check("fcntl F_SETFL", KERNEL.fcntl(fd, FileFlags.F_SETFL, fileFlags | FileFlags.O_NONBLOCK));
            Errno.check("fcntl F_SETFD", KERNEL.fcntl(fd, FileFlags.F_SETFD, FileFlags.FD_CLOEXEC));
            ChannelSocket adopted = new ChannelSocket(fd, domain, null);
            adopted.shared = true;
            return adopted;
        } catch (IOException unfit) {
            throw new ChannelException("cannot listen with descriptor " + fd + ": " + unfit.getMessage(), unfit);
        }
    }

    /** Returns a duplicate, which the caller owns. From now on, the socket listens even after the end of this channel. */
    synchronized int share() {
        int duplicate = closed ? -Errno.EBADF : KERNEL.fcntl(fd, FileFlags.F_DUPFD_CLOEXEC, 0);
        if (duplicate < 0) {
            throw new ChannelException(Errno.exception("fcntl F_DUPFD_CLOEXEC", duplicate));
        }
        shared = true;
        return duplicate;
    }

    private static ChannelException refused(int result) {
        return new ChannelException(Errno.exception("socket", result));
    }

    int fd() {
        return fd;
    }

    boolean isOpen() {
        return !closed;
    }

    int domain() {
        return domain;
    }

    ChannelSocketOptions options() {
        return options;
    }

    /** Returns null if the kernel has no local address. */
    synchronized SocketAddress localAddress() {
        return closed ? null : CALLS.localOrNull(fd);
    }

    synchronized SocketAddress remoteAddress() {
        return acceptedFrom != null ? acceptedFrom : closed ? null : CALLS.peerOrNull(fd);
    }

    /** Returns the address in the form that the kernel needs. For an IPv6 socket, an IPv4 address becomes a mapped IPv6 address. */
    private SocketAddress ofDomain(SocketAddress address) {
        if (domain != Sockets.AF_INET6
                || !(address instanceof InetSocketAddress inet)
                || !(inet.getAddress() instanceof Inet4Address ip)) {
            return address;
        }
        byte[] bytes = new byte[16];
        if (!ip.isAnyLocalAddress()) {
            System.arraycopy(MAPPED_PREFIX, 0, bytes, 0, MAPPED_PREFIX.length);
            System.arraycopy(ip.getAddress(), 0, bytes, MAPPED_PREFIX.length, 4);
        }
        try {
            // Has a scope, because without a scope the JDK makes an Inet4Address from mapped bytes.
            return new InetSocketAddress(Inet6Address.getByAddress(null, bytes, 0), inet.getPort());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 16 bytes is never refused", e);
        }
    }

    int encode(SocketAddress address, ByteBuffer into) {
        return SocketAddresses.encode(ofDomain(address), into);
    }

    void bind(SocketAddress address) throws IOException {
        int result = CALLS.bind(fd, ofDomain(address));
        if (result < 0) {
            KernelException cause = Errno.exception("bind to " + address, result);
            throw result == -Errno.EINVAL
                    ? cause
                    : (IOException) new BindException(cause.getMessage()).initCause(cause);
        }
    }

    void listen(int backlog) throws IOException {
        Errno.check("listen", KERNEL.listen(fd, backlog));
    }

    boolean connect(SocketAddress address) throws IOException {
        int result = CALLS.connect(fd, ofDomain(address));
        if (result >= 0) {
            return true;
        }
        switch (-result) {
            case Errno.EINPROGRESS, Errno.EINTR:
                return false;
            case Errno.EISCONN:
                throw new AlreadyConnectedException();
            case Errno.EALREADY:
                throw new ConnectionPendingException();
            default:
                throw connectFailure(result);
        }
    }

    /** Returns true if a connect has succeeded, false if it has not ended. */
    boolean finishConnect() throws IOException {
        int errno = CALLS.pendingError(fd);
        if (errno != 0) {
            throw connectFailure(-errno);
        }
        return CALLS.peerOrNull(fd) != null;
    }

    /** Keeps the kernel's message, because programs search for this text. */
    private static IOException connectFailure(int result) {
        KernelException cause = Errno.exception("connect", result);
        IOException failure = switch (-result) {
            case Errno.ECONNREFUSED, Errno.ETIMEDOUT, Errno.ECONNRESET -> new ConnectException(cause.getMessage());
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH -> new NoRouteToHostException(cause.getMessage());
            case Errno.EADDRNOTAVAIL, Errno.EADDRINUSE -> new BindException(cause.getMessage());
            case Errno.ENOENT -> new FileNotFoundException(cause.getMessage()); // the file of a Unix socket is missing
            default -> cause;
        };
        return failure == cause ? cause : (IOException) failure.initCause(cause);
    }

    /** Returns null if no connection waits. */
    ChannelSocket accept() throws IOException {
        for (; ; ) {
            MessagePieces memory = MessagePieces.empty();
            int result = memory.accept(fd, FLAGS);
            if (result >= 0) {
                try {
                    return new ChannelSocket(result, domain, memory.decodeAddress());
                } catch (Throwable failure) {
                    KERNEL.close(result);
                    throw failure;
                }
            }
            switch (-result) {
                case Errno.EAGAIN:
                    return null;
                case Errno.EINTR, Errno.ECONNABORTED, Errno.EPROTO: // the next connection may be valid
                    continue;
                default:
                    throw Errno.exception("accept4", result);
            }
        }
    }

    /** Returns the number of received bytes. Returns 0 if no byte has arrived or none is wanted, -1 at the end of the input. */
    int receive(long address, int count) throws IOException {
        for (; ; ) {
            int result = KERNEL.recv(fd, address, count, 0);
            if (result > 0) {
                return result;
            }
            if (result == 0) {
                return count == 0 ? 0 : -1;
            }
            if (result == -Errno.EAGAIN) {
                return 0;
            }
            if (result != -Errno.EINTR) {
                throw Errno.exception("recv", result);
            }
        }
    }

    /** Returns the number of bytes that the socket has taken. Returns 0 if the socket has no room. */
    int send(long address, int count) throws IOException {
        for (; ; ) {
            int result = KERNEL.send(fd, address, count, Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                return result;
            }
            if (result == -Errno.EAGAIN) {
                return 0;
            }
            if (result != -Errno.EINTR) {
                throw sendFailure("send", result);
            }
        }
    }

    /** Like {@link #send}, but sends a message. Its header is at the address {@code header}. */
    int sendMessage(long header) throws IOException {
        for (; ; ) {
            int result = KERNEL.sendmsg(fd, header, Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                return result;
            }
            if (result == -Errno.EAGAIN) {
                return 0;
            }
            if (result != -Errno.EINTR) {
                throw sendFailure("sendmsg", result);
            }
        }
    }

    /** Returns the number of sent bytes, 0 at the end of the file, -EAGAIN, or -EINVAL if the kernel cannot send such a file. */
    int sendFile(int file, long positionAddress, int count) throws IOException {
        for (; ; ) {
            int result = KERNEL.sendfile(fd, file, positionAddress, count);
            if (result >= 0 || result == -Errno.EAGAIN || result == -Errno.EINVAL) {
                return result;
            }
            if (result != -Errno.EINTR) {
                throw sendFailure("sendfile", result);
            }
        }
    }

    int receiveMessage(long header) throws IOException {
        for (; ; ) {
            int result = KERNEL.recvmsg(fd, header, 0);
            if (result >= 0) {
                return result;
            }
            if (result == -Errno.EAGAIN) {
                return -1;
            }
            if (result != -Errno.EINTR) {
                throw Errno.exception("recvmsg", result);
            }
        }
    }

    private IOException sendFailure(String call, int result) {
        return result == -Errno.EPIPE && outputShutdown ? new ClosedChannelException() : Errno.exception(call, result);
    }

    boolean isInputShutdown() {
        return inputShutdown;
    }

    boolean isOutputShutdown() {
        return outputShutdown;
    }

    synchronized void shutdownInput() throws IOException {
        inputShutdown = true;
        shutdown(Sockets.SHUT_RD);
    }

    synchronized void shutdownOutput() throws IOException {
        outputShutdown = true;
        shutdown(Sockets.SHUT_WR);
    }

    private void shutdown(int how) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int result = KERNEL.shutdown(fd, how);
        if (result == -Errno.ENOTCONN) {
            throw new NotYetConnectedException();
        }
        Errno.check("shutdown", result);
    }

    /**
     * Ends the connection, the connect or the listening. Has no effect if other processes share the socket. The close of the descriptor
     * alone would take effect late, because a ring that watches the descriptor keeps the socket open until the ring's thread enters the
     * kernel.
     */
    synchronized void end() {
        if (closed || shared) {
            return;
        }
        if (options.resetsOnClose()) {
            CALLS.cutOff(fd);
        } else {
            KERNEL.shutdown(fd, Sockets.SHUT_RDWR); // ENOTCONN: the peer has ended the connection, or there was none
        }
    }

    synchronized int close() {
        if (closed) {
            return 0;
        }
        closed = true;
        inputShutdown = true;
        outputShutdown = true;
        return KERNEL.close(fd);
    }

    synchronized void disconnect() {
        if (!closed) {
            CALLS.cutOff(fd);
        }
    }

    @Override
    public String toString() {
        return "fd " + fd;
    }
}
