package org.cabrank.socket;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Set;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.MulticastGroups;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.SocketOption;

final class DatagramOpening {
    private static final System.Logger LOGGER = System.getLogger(UdpSocket.class.getName());

    /** Bytes that the kernel grants for each requested byte of {@code SO_RCVBUF} or {@code SO_SNDBUF} (socket(7)). */
    private static final int GRANTED_FOR_EACH = 2;

    private final Kernel kernel;
    private final SocketOps sockets;
    private final InetSocketAddress address;
    private DatagramOptions options;
    private final boolean ipv6;
    private final Set<DatagramDetail> details = EnumSet.noneOf(DatagramDetail.class);
    private InetSocketAddress localAddress;
    private boolean repliesFromDestination;

    DatagramOpening(Kernel kernel, InetSocketAddress address, DatagramOptions options) {
        this.kernel = kernel;
        this.sockets = new SocketOps(kernel);
        this.address = address;
        this.options = options;
        this.ipv6 = address.getAddress() instanceof Inet6Address;
    }

    /** Returns the descriptor of a bound socket, which is connected if the options name a peer. The getters are valid afterwards. */
    int open() throws IOException {
        EncodedOptions encoded = EncodedOptions.ofDatagrams(options.socketOptions(), address);
        int fd = require("opening a socket for datagrams at " + address, sockets.datagramSocket(address));
        try {
            configure(fd, encoded);
            require("bind to " + address, sockets.bind(fd, address));
            if (options.steering() != null) {
                options.steering().attach(kernel, fd);
            }
            if (options.peer() != null) {
                require("connect to " + options.peer(), sockets.connect(fd, options.peer()));
            }
            localAddress = (InetSocketAddress) sockets.localAddress(fd);
            return fd;
        } catch (Throwable refused) {
            kernel.close(fd);
            throw refused;
        }
    }

    private static int require(String call, int result) throws IOException {
        if (result >= 0) {
            return result;
        }
        IOException cause = Errno.exception(call, result);
        throw new IOException(cause.getMessage() + remedy(-result), cause);
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE ->
                "; another socket has this port (ss -lunp shows whose): choose another, or 0 for any, or share it"
                        + " (sharedAddress, sharedPort) if that socket does";
            case Errno.EADDRNOTAVAIL -> "; the address is not one of this host's (ip addr shows them)";
            case Errno.EACCES, Errno.EPERM ->
                "; ports below net.ipv4.ip_unprivileged_port_start (1024) take CAP_NET_BIND_SERVICE: choose a higher port;"
                        + " rules of the cgroup (BPF) or of the sandbox can forbid sockets as well";
            case Errno.EAFNOSUPPORT ->
                "; this kernel does not speak this family of addresses: use an IPv4 address, or enable IPv6";
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                "; there is no route to the address: see ip route get ADDRESS and ip link";
            case Errno.ENODEV -> "; the interface (scope) of the address is unknown: see ip link";
            case Errno.EINVAL -> "; the kernel does not take the address: a link-local one needs its interface (%eth0)";
            case Errno.EMFILE -> "; raise the limit of open files (ulimit -n)";
            case Errno.ENOPROTOOPT -> "; this kernel does not know the option: leave it out";
            default -> "";
        };
    }

    private void configure(int fd, EncodedOptions encoded) throws IOException {
        if (options.sharedAddress()) {
            require("SO_REUSEADDR", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1));
        }
        if (options.sharedPort()) {
            require("SO_REUSEPORT", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1));
        }
        excludeForeignGroups(fd);
        encoded.set(sockets, fd, this::warn);
        if (options.multicastInterface() != null) {
            MulticastGroups.outgoingInterface(sockets, fd, ipv6, options.multicastInterface());
        }
        askForErrors(fd);
        askForDetails(fd);
        askForDestinations(fd);
        askForSendTimes(fd);
        warnIfSmaller(fd, SocketOption.SO_RCVBUF, "net.core.rmem_max");
        warnIfSmaller(fd, SocketOption.SO_SNDBUF, "net.core.wmem_max");
    }

    private void excludeForeignGroups(int fd) {
        int result = sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_ALL, 0);
        if (result >= 0 && ipv6) {
            result = sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MULTICAST_ALL, 0);
        }
        if (result < 0) {
            warn("may be of groups that other sockets have joined: IP_MULTICAST_ALL or IPV6_MULTICAST_ALL "
                    + Errno.describe(-result)
                    + "; ask for DatagramDetail.DESTINATION to tell groups apart, or use Linux 4.20 or later");
        }
    }

    private void askForErrors(int fd) {
        if (!options.errors()) {
            return;
        }
        int result = sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_RECVERR, 1);
        if (result >= 0 && ipv6) {
            result = sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVERR, 1);
        }
        if (result < 0) {
            sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_RECVERR, 0); // errors of one family alone would mislead
            options = options.withErrors(false);
            warn("are sent without reports of network errors: IP_RECVERR or IPV6_RECVERR " + Errno.describe(-result)
                    + "; permit the option in the sandbox (seccomp), or leave it out");
        }
    }

    private void askForSendTimes(int fd) {
        if (!options.sendTimes()) {
            return;
        }
        int result = sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_TIMESTAMPING, timeFlags());
        if (result < 0) {
            options = options.withSendTimes(false);
            warn("are sent without times: SO_TIMESTAMPING " + Errno.describe(-result)
                    + "; permit the option in the sandbox (seccomp), or leave it out");
        }
    }

    private void warn(String what) {
        FailureLog.write(LOGGER, System.Logger.Level.WARNING, () -> "datagrams at " + address + " " + what, null);
    }

    private void askForDetails(int fd) {
        for (DatagramDetail detail : options.details()) {
            int result = askFor(fd, detail);
            if (result < 0) {
                warn("come without " + detail + ": setsockopt " + Errno.describe(-result)
                        + "; use a newer kernel, or leave the detail out");
            } else {
                details.add(detail);
            }
        }
    }

    /** Requests the destination of each datagram, because answers leave from it. A socket with only one address does not need this. */
    private void askForDestinations(int fd) {
        if (!address.getAddress().isAnyLocalAddress() || options.peer() != null) {
            return;
        }
        int result = details.contains(DatagramDetail.DESTINATION) ? 0 : askFor(fd, DatagramDetail.DESTINATION);
        repliesFromDestination = result >= 0;
        if (result < 0) {
            warn("are answered from an address that the kernel chooses: IP_PKTINFO or IPV6_RECVPKTINFO "
                    + Errno.describe(-result) + "; bind a socket to each address of this host instead");
        }
    }

    boolean repliesFromDestination() {
        return repliesFromDestination;
    }

    private int askFor(int fd, DatagramDetail detail) {
        return switch (detail) {
            case DESTINATION ->
                ipv6
                        ? sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVPKTINFO, 1)
                        : sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_PKTINFO, 1);
            case TRAFFIC_CLASS -> {
                int result = sockets.option(
                        fd, Sockets.IPPROTO_IP, Sockets.IP_RECVTOS, 1); // an IPv6 socket may have IPv4 peers
                yield result < 0 || !ipv6
                        ? result
                        : sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVTCLASS, 1);
            }
            case RECEIVE_TIME, HARDWARE_TIME ->
                sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_TIMESTAMPING, timeFlags());
            case DROPS -> sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_RXQ_OVFL, 1);
            case SEGMENTS -> sockets.option(fd, Sockets.IPPROTO_UDP, Sockets.UDP_GRO, 1);
        };
    }

    private int timeFlags() {
        int software = options.details().contains(DatagramDetail.RECEIVE_TIME)
                ? Sockets.SOF_TIMESTAMPING_RX_SOFTWARE | Sockets.SOF_TIMESTAMPING_SOFTWARE
                : 0;
        int hardware = options.details().contains(DatagramDetail.HARDWARE_TIME)
                ? Sockets.SOF_TIMESTAMPING_RX_HARDWARE | Sockets.SOF_TIMESTAMPING_RAW_HARDWARE
                : 0;
        int sent = options.sendTimes()
                ? Sockets.SOF_TIMESTAMPING_TX_SOFTWARE
                        | Sockets.SOF_TIMESTAMPING_SOFTWARE
                        | Sockets.SOF_TIMESTAMPING_OPT_ID
                        | Sockets.SOF_TIMESTAMPING_OPT_TSONLY
                : 0;
        int sentByDevice = sent != 0 && hardware != 0
                ? Sockets.SOF_TIMESTAMPING_TX_HARDWARE | Sockets.SOF_TIMESTAMPING_OPT_TX_SWHW
                : 0;
        return software | hardware | sent | sentByDevice;
    }

    /** Returns the options without those that the kernel has refused. */
    DatagramOptions options() {
        return options;
    }

    Set<DatagramDetail> details() {
        return Set.copyOf(details);
    }

    private void warnIfSmaller(int fd, SocketOption<Integer> option, String sysctl) throws IOException {
        Integer wanted = options.socketOptions().get(option);
        if (wanted == null) {
            return;
        }
        long granted = EncodedOptions.get(sockets, fd, option) / GRANTED_FOR_EACH;
        if (granted < wanted) {
            FailureLog.write(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    () -> option + " of the datagram socket at " + address + " is " + granted + " bytes instead of "
                            + wanted + ": " + sysctl + " limits it; raise it with sysctl -w " + sysctl + "=" + wanted,
                    null);
        }
    }

    InetSocketAddress localAddress() {
        return localAddress;
    }
}
