package org.cabrank.socket.calls;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.GroupReq;
import org.cabrank.kernel.layout.GroupSourceReq;
import org.cabrank.kernel.layout.IpMreqn;

/** Membership of multicast groups (RFC 3678, ip(7), ipv6(7)). An IPv6 socket that accepts IPv4 peers may join IPv4 groups. */
public final class MulticastGroups {
    private MulticastGroups() {}

    /** Joins a group. If {@code via} is null, the route determines the interface. If {@code source} is null, all senders are received. */
    public static void join(SocketOps sockets, int fd, InetAddress group, NetworkInterface via, InetAddress source)
            throws IOException {
        int name = source == null ? Sockets.MCAST_JOIN_GROUP : Sockets.MCAST_JOIN_SOURCE_GROUP;
        int result = sockets.setOption(fd, level(group), name, request(group, via, source));
        if (result < 0) {
            String from = source == null ? "" : " of source " + source.getHostAddress();
            String on = via == null ? "" : " on " + via.getName();
            throw refusal(
                    "joining multicast group " + group.getHostAddress() + from + on,
                    result,
                    remedy(-result, group, source));
        }
    }

    /** Leaves a group. Returns 0 or {@code -errno}: EADDRNOTAVAIL and ENODEV if the kernel has ended the membership. */
    public static int leave(SocketOps sockets, int fd, InetAddress group, NetworkInterface via, InetAddress source) {
        int name = source == null ? Sockets.MCAST_LEAVE_GROUP : Sockets.MCAST_LEAVE_SOURCE_GROUP;
        return sockets.setOption(fd, level(group), name, request(group, via, source));
    }

    /** Sets the interface through which multicast datagrams leave. For an IPv6 socket, this includes datagrams to IPv4 groups. */
    public static void outgoingInterface(SocketOps sockets, int fd, boolean ipv6, NetworkInterface via)
            throws IOException {
        byte[] request = new byte[IpMreqn.SIZE_BYTES];
        ByteBuffer.wrap(request).order(ByteOrder.nativeOrder()).putInt(IpMreqn.IFINDEX_OFFSET, via.getIndex());
        int result = sockets.setOption(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_IF, request);
        if (result >= 0 && ipv6) {
            result = sockets.option(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MULTICAST_IF, via.getIndex());
        }
        if (result < 0) {
            throw refusal(
                    "setting the interface of multicast datagrams to " + via.getName(),
                    result,
                    "; ip link lists the network interfaces: choose one that exists, and the one that the socket is bound"
                            + " to if it is bound to one");
        }
    }

    private static int level(InetAddress group) {
        return group instanceof Inet4Address ? Sockets.IPPROTO_IP : Sockets.IPPROTO_IPV6;
    }

    private static byte[] request(InetAddress group, NetworkInterface via, InetAddress source) {
        byte[] request = new byte[source == null ? GroupReq.SIZE_BYTES : GroupSourceReq.SIZE_BYTES];
        ByteBuffer into = ByteBuffer.wrap(request).order(ByteOrder.nativeOrder());
        into.putInt(GroupReq.INTERFACE_OFFSET, via == null ? 0 : via.getIndex());
        address(into, GroupReq.GROUP_OFFSET, group);
        if (source != null) {
            address(into, GroupSourceReq.SOURCE_OFFSET, source);
        }
        return request;
    }

    private static void address(ByteBuffer into, int offset, InetAddress address) {
        SocketAddresses.encode(new InetSocketAddress(address, 0), into.slice(offset, SocketAddresses.ROOM_BYTES));
    }

    private static IOException refusal(String call, int result, String remedy) {
        IOException cause = Errno.exception(call, result);
        return new IOException(cause.getMessage() + remedy, cause);
    }

    private static String remedy(int errno, InetAddress group, InetAddress source) {
        boolean ipv4 = group instanceof Inet4Address;
        return switch (errno) {
            case Errno.ENOBUFS ->
                ipv4
                        ? "; the socket has as many memberships as it may have: raise sysctl net.ipv4.igmp_max_memberships"
                                + (source == null ? "" : ", or net.ipv4.igmp_max_msf for sources of one group")
                                + ", or join with another socket"
                        : "; the socket has as many sources of the group as it may have: raise sysctl net.ipv6.mld_max_msf,"
                                + " or join with another socket";
            case Errno.ENOMEM ->
                "; the socket has no memory for another membership: raise sysctl net.core.optmem_max, or join with another"
                        + " socket";
            case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL -> "; the socket is a member already: join once";
            case Errno.ENODEV ->
                "; there is no such interface, or no route to the group: name an interface that ip link lists, or add a"
                        + " route";
            case Errno.EINVAL ->
                source == null
                        ? "; the interface does not take the group: name another interface"
                        : "; the socket is a member for any source already, or the source is of another family: leave"
                                + " the group first";
            case Errno.ENOPROTOOPT, Errno.EAFNOSUPPORT ->
                "; an IPv4 socket has no IPv6 groups: bind the socket to an IPv6 address";
            default -> "";
        };
    }
}
