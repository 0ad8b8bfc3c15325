package org.cabrank.httpserver;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.SocketOps;

/** A listening socket between bind and start. Clients can already connect. A wildcard address means IPv4 and IPv6, as in the JDK. */
final class BoundSocket {
    /** The kernel limits the backlog to net.core.somaxconn. */
    static final int BACKLOG_DEFAULT = 4_096;

    private static final byte[] WILDCARD = new byte[16];

    private final Kernel kernel;
    private final int fd;
    private final InetSocketAddress address;

    private BoundSocket(Kernel kernel, int fd, InetSocketAddress address) {
        this.kernel = kernel;
        this.fd = fd;
        this.address = address;
    }

    static BoundSocket open(InetSocketAddress wanted, int backlog) throws IOException {
        if (wanted.isUnresolved()) {
            throw new SocketException("there is no host '" + wanted.getHostString() + "': name a host that resolves");
        }
        Kernel kernel = Kernels.system();
        SocketOps sockets = new SocketOps(kernel);
        InetSocketAddress local = wanted;
        int fd = -Errno.EAFNOSUPPORT;
        if (wanted.getAddress().isAnyLocalAddress() && !Boolean.getBoolean("java.net.preferIPv4Stack")) {
            local = new InetSocketAddress(Inet6Address.getByAddress(null, WILDCARD, null), wanted.getPort());
            fd = sockets.streamSocket(local);
        }
        if (fd == -Errno.EAFNOSUPPORT) { // IPv6 is not available, or the address is of another family
            local = wanted;
            fd = sockets.streamSocket(local);
        }
        require("socket", wanted, fd);
        boolean listens = false;
        try {
            require("SO_REUSEADDR", wanted, sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1));
            if (local.getAddress() instanceof Inet6Address) {
                require("IPV6_V6ONLY", wanted, sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 0));
            }
            require("bind", wanted, sockets.bind(fd, local));
            require("listen", wanted, kernel.listen(fd, backlog > 0 ? backlog : BACKLOG_DEFAULT));
            InetSocketAddress bound = (InetSocketAddress) sockets.localAddress(fd);
            listens = true;
            return new BoundSocket(kernel, fd, bound);
        } finally {
            if (!listens) {
                kernel.close(fd);
            }
        }
    }

    private static void require(String call, InetSocketAddress wanted, int result) throws IOException {
        if (result >= 0) {
            return;
        }
        IOException cause = Errno.exception(call, result);
        BindException refused = new BindException("cannot listen at " + text(wanted.getAddress()) + ":"
                + wanted.getPort() + ": " + cause.getMessage() + remedy(-result));
        refused.initCause(cause);
        throw refused;
    }

    private static String text(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE ->
                "; another socket has this port (ss -ltnp shows whose): choose another, or 0 for any";
            case Errno.EACCES ->
                "; ports below net.ipv4.ip_unprivileged_port_start (1024) take CAP_NET_BIND_SERVICE: choose a higher port";
            case Errno.EADDRNOTAVAIL -> "; the address is not one of this host's (ip addr shows them)";
            case Errno.EMFILE -> "; raise the limit of open files (ulimit -n)";
            default -> "";
        };
    }

    InetSocketAddress address() {
        return address;
    }

    int fd() {
        return fd;
    }

    void close() {
        kernel.close(fd);
    }
}
