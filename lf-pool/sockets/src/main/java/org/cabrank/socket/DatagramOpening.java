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

/** Opens, configures and binds a datagram socket. Used by one thread. */
final class DatagramOpening {
    private static final System.Logger LOGGER = System.getLogger(UdpSocket.class.getName());

    /** Bytes of an {@code SO_RCVBUF} or {@code SO_SNDBUF} that the kernel grants for each byte that was asked for (socket(7)). */
    private static final int GRANTED_FOR_EACH = 2;

    private final Kernel kernel;
    private final SocketOps sockets;
    private final InetSocketAddress address;
    private final DatagramOptions options;
    private final boolean ipv6;
    private final Set<DatagramDetail> details = EnumSet.noneOf(DatagramDetail.class);
    private InetSocketAddress localAddress;

    DatagramOpening(Kernel kernel, InetSocketAddress address, DatagramOptions options) {
        this.kernel = kernel;
        this.sockets = new SocketOps(kernel);
        this.address = address;
        this.options = options;
        this.ipv6 = address.getAddress() instanceof Inet6Address;
    }

    /** Returns the descriptor of a socket that is bound, and connected if the options name a peer. */
    int open() throws IOException {
        EncodedOptions encoded = EncodedOptions.ofDatagrams(options.socketOptions(), address);
        int fd = Errno.check("socket for datagrams", sockets.datagramSocket(address));
        try {
            configure(fd, encoded);
            Errno.check("bind to " + address, sockets.bind(fd, address));
            if (options.steering() != null) {
                options.steering().attach(kernel, fd);
            }
            if (options.peer() != null) {
                Errno.check("connect to " + options.peer(), sockets.connect(fd, options.peer()));
            }
            localAddress = (InetSocketAddress) sockets.localAddress(fd);
            return fd;
        } catch (Throwable refused) {
            kernel.close(fd);
            throw refused;
        }
    }

    private void configure(int fd, EncodedOptions encoded) throws IOException {
        if (options.sharedAddress()) {
            Errno.check("SO_REUSEADDR", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1));
        }
        if (options.sharedPort()) {
            Errno.check("SO_REUSEPORT", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1));
        }
        // A kernel that does not know these options delivers more groups, as kernels do by default.
        sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_ALL, 0);
        if (ipv6) {
            sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MULTICAST_ALL, 0);
        }
        encoded.set(sockets, fd);
        if (options.multicastInterface() != null) {
            MulticastGroups.outgoingInterface(sockets, fd, ipv6, options.multicastInterface());
        }
        askForErrors(fd);
        askForDetails(fd);
        askForSendTimes(fd);
        warnIfSmaller(fd, SocketOption.SO_RCVBUF, "net.core.rmem_max");
        warnIfSmaller(fd, SocketOption.SO_SNDBUF, "net.core.wmem_max");
    }

    private void askForErrors(int fd) throws IOException {
        if (options.errors()) {
            Errno.check("IP_RECVERR", sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_RECVERR, 1));
            if (ipv6) {
                Errno.check("IPV6_RECVERR", sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVERR, 1));
            }
        }
    }

    private void askForSendTimes(int fd) throws IOException {
        if (options.sendTimes()) {
            Errno.check(
                    "SO_TIMESTAMPING", sockets.option(fd, Sockets.SOL_SOCKET, Sockets.SO_TIMESTAMPING, timeFlags()));
        }
    }

    private void askForDetails(int fd) {
        for (DatagramDetail detail : options.details()) {
            int result = askFor(fd, detail);
            if (result < 0) {
                FailureLog.write(
                        LOGGER,
                        System.Logger.Level.WARNING,
                        () -> "datagrams at " + address + " come without " + detail + ": setsockopt "
                                + Errno.describe(-result) + "; use a newer kernel, or leave the detail out",
                        null);
            } else {
                details.add(detail);
            }
        }
    }

    private int askFor(int fd, DatagramDetail detail) {
        return switch (detail) {
            case DESTINATION ->
                ipv6
                        ? sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_RECVPKTINFO, 1)
                        : sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_PKTINFO, 1);
            case TRAFFIC_CLASS -> {
                int result = sockets.option(fd, Sockets.IPPROTO_IP, Sockets.IP_RECVTOS, 1); // of IPv4 peers, too
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
        return software | hardware | sent;
    }

    DatagramOptions options() {
        return options;
    }

    /** Details that the kernel gives; after {@link #open}. */
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

    /** Local address, with the port that the kernel has chosen; after {@link #open}. */
    InetSocketAddress localAddress() {
        return localAddress;
    }
}
