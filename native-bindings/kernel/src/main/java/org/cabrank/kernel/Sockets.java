package org.cabrank.kernel;

import org.cabrank.kernel.layout.GroupReq;
import org.cabrank.kernel.layout.GroupSourceReq;
import org.cabrank.kernel.layout.In6Pktinfo;
import org.cabrank.kernel.layout.InPktinfo;
import org.cabrank.kernel.layout.IpMreqn;
import org.cabrank.kernel.layout.Linger;
import org.cabrank.kernel.layout.SockExtendedErr;
import org.cabrank.kernel.layout.SocketFilterProgram;
import org.cabrank.kernel.layout.Ucred;

/** Constants of socket(7), tcp(7), udp(7), ip(7), ipv6(7) and unix(7), for {@link SocketCalls}. */
public final class Sockets {
    public static final int AF_UNSPEC = 0;
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_SEQPACKET = 5;
    public static final int SOCK_NONBLOCK = 0x800;

    public static final int SOCK_CLOEXEC = 0x80000;

    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_UDP = 17;
    public static final int IPPROTO_IPV6 = 41;

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_TYPE = 3;
    public static final int SO_ERROR = 4;
    public static final int SO_BROADCAST = 6;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_PRIORITY = 12;
    /** Takes a {@link Linger}. */
    public static final int SO_LINGER = 13;
    /** Several sockets may be bound to one address. The kernel distributes connections among them (since Linux 3.9). */
    public static final int SO_REUSEPORT = 15;

    /** Gives a {@link Ucred} of the peer of a Unix socket. */
    public static final int SO_PEERCRED = 17;

    public static final int SO_RCVLOWAT = 18;
    /** Takes the name of a network interface, up to 15 characters. An empty name stands for any interface. */
    public static final int SO_BINDTODEVICE = 25;
    /** Takes a {@link SocketFilterProgram} that returns, for each packet, the number of bytes to keep. 0 drops the packet. */
    public static final int SO_ATTACH_FILTER = 26;

    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_RCVBUFFORCE = 33;
    public static final int SO_MARK = 36;

    /** Takes {@code SOF_TIMESTAMPING_} flags. Control data have three {@link TimeSpec}s: software time, unused field, hardware time. */
    public static final int SO_TIMESTAMPING = 37;

    public static final int SO_DOMAIN = 39;
    /** Control data of this type have one 32-bit number, the count of datagrams that the socket has dropped so far. */
    public static final int SO_RXQ_OVFL = 40;
    /** Time in us for which a blocking receive polls the network device (since Linux 3.11). */
    public static final int SO_BUSY_POLL = 46;

    /**
     * The CPU that took the last packet from the network device (since Linux 3.19). If it is set for the listening sockets of a {@link
     * #SO_REUSEPORT} group, the kernel prefers the socket whose CPU received the packet (since Linux 6.2).
     */
    public static final int SO_INCOMING_CPU = 49;
    /**
     * Takes a {@link SocketFilterProgram}. For each connection, the program returns the number of a socket in a {@link #SO_REUSEPORT}
     * group. Numbers start at 0, in the order of listen(2). For an invalid number, the kernel uses a hash. For TCP since Linux 4.6.
     */
    public static final int SO_ATTACH_REUSEPORT_CBPF = 51;

    /** Gives an array of 32-bit numbers (since Linux 4.12). The {@code SK_MEMINFO_} constants are indices of this array. */
    public static final int SO_MEMINFO = 55;
    /** Gives the supplementary groups of the peer of a Unix socket, an array of {@code gid_t} (since Linux 4.13). */
    public static final int SO_PEERGROUPS = 59;
    /** Since Linux 5.3. */
    public static final int SO_DETACH_REUSEPORT_BPF = 68;
    /** Since Linux 5.11. */
    public static final int SO_PREFER_BUSY_POLL = 69;
    /** Since Linux 5.11. */
    public static final int SO_BUSY_POLL_BUDGET = 70;

    /** Gives a new pidfd of the peer of a Unix socket (since Linux 6.5). */
    public static final int SO_PEERPIDFD = 77;

    public static final int TCP_NODELAY = 1;
    public static final int TCP_CORK = 3;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_KEEPCNT = 6;
    public static final int TCP_DEFER_ACCEPT = 9;
    public static final int TCP_INFO = 11;
    public static final int TCP_QUICKACK = 12;
    public static final int TCP_CONGESTION = 13;

    public static final int TCP_USER_TIMEOUT = 18;
    public static final int TCP_FASTOPEN = 23;
    public static final int TCP_NOTSENT_LOWAT = 25;

    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    /** Takes an {@code int}. Control data of this type are an {@link InPktinfo}. */
    public static final int IP_PKTINFO = 8;

    public static final int IP_MTU_DISCOVER = 10;
    /** With {@link #MSG_ERRQUEUE}, control data of this type are a {@link SockExtendedErr}. */
    public static final int IP_RECVERR = 11;

    public static final int IP_RECVTOS = 13;
    public static final int IP_MTU = 14;
    /** bind(2) with port 0 binds only the address. Later, connect(2) chooses the port (since Linux 4.2). */
    public static final int IP_BIND_ADDRESS_NO_PORT = 24;

    /** Takes an {@link IpMreqn}. */
    public static final int IP_MULTICAST_IF = 32;

    public static final int IP_MULTICAST_TTL = 33;
    public static final int IP_MULTICAST_LOOP = 34;
    /** Takes a {@link GroupReq}. The number is the same at the levels of IPv4 and IPv6. */
    public static final int MCAST_JOIN_GROUP = 42;

    public static final int MCAST_LEAVE_GROUP = 45;
    /** Takes a {@link GroupSourceReq}. */
    public static final int MCAST_JOIN_SOURCE_GROUP = 46;

    public static final int MCAST_LEAVE_SOURCE_GROUP = 47;
    /** If 1, the socket receives datagrams of all groups that any socket of the host has joined. If 0, only those of its own. */
    public static final int IP_MULTICAST_ALL = 49;

    public static final int IPV6_UNICAST_HOPS = 16;
    /** Takes the index of an interface. */
    public static final int IPV6_MULTICAST_IF = 17;

    public static final int IPV6_MULTICAST_HOPS = 18;
    public static final int IPV6_MULTICAST_LOOP = 19;
    public static final int IPV6_MTU_DISCOVER = 23;
    public static final int IPV6_MTU = 24;
    public static final int IPV6_RECVERR = 25;

    public static final int IPV6_V6ONLY = 26;
    /** Like {@link #IP_MULTICAST_ALL} (since Linux 4.20). */
    public static final int IPV6_MULTICAST_ALL = 29;

    public static final int IPV6_RECVPKTINFO = 49;
    /** Control data of this type are an {@link In6Pktinfo}. */
    public static final int IPV6_PKTINFO = 50;

    public static final int IPV6_RECVTCLASS = 66;
    public static final int IPV6_TCLASS = 67;

    /** The kernel cuts sent bytes into datagrams of this size in bytes (since Linux 4.18). In control data, the size has 16 bits. */
    public static final int UDP_SEGMENT = 103;
    /** The kernel joins received datagrams of a flow (since Linux 5.0). Control data are an {@code int}, the size of a datagram. */
    public static final int UDP_GRO = 104;

    public static final int SOF_TIMESTAMPING_TX_HARDWARE = 1;
    public static final int SOF_TIMESTAMPING_TX_SOFTWARE = 2;
    public static final int SOF_TIMESTAMPING_RX_HARDWARE = 4;
    public static final int SOF_TIMESTAMPING_RX_SOFTWARE = 8;
    public static final int SOF_TIMESTAMPING_SOFTWARE = 16;
    public static final int SOF_TIMESTAMPING_RAW_HARDWARE = 64;
    /** The error queue numbers the datagrams of the socket from 0. */
    public static final int SOF_TIMESTAMPING_OPT_ID = 128;
    /** Time stamps in the error queue come without the datagram. */
    public static final int SOF_TIMESTAMPING_OPT_TSONLY = 2048;
    /** The error queue gets both the software time and the hardware time of a datagram. */
    public static final int SOF_TIMESTAMPING_OPT_TX_SWHW = 16384;

    public static final int SO_EE_ORIGIN_LOCAL = 1;
    public static final int SO_EE_ORIGIN_ICMP = 2;
    public static final int SO_EE_ORIGIN_ICMP6 = 3;
    public static final int SO_EE_ORIGIN_TIMESTAMPING = 4;

    public static final int SK_MEMINFO_RMEM_ALLOC = 0;

    public static final int SK_MEMINFO_DROPS = 8;

    public static final int MSG_PEEK = 0x02;
    /** Flag of a received message: control data did not fit, or descriptors could not be created. */
    public static final int MSG_CTRUNC = 0x08;

    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    /** Receives from the error queue. A message from the error queue has this flag. */
    public static final int MSG_ERRQUEUE = 0x2000;
    /** Raises no SIGPIPE if the call fails with EPIPE. */
    public static final int MSG_NOSIGNAL = 0x4000;

    public static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

    /** Type of control data of level SOL_SOCKET: descriptors, each an {@code int} (unix(7)). */
    public static final int SCM_RIGHTS = 1;

    /** Request of ioctl(2). Writes an int: for TCP the number of unacknowledged bytes, for a Unix socket the memory of unread data. */
    public static final int SIOCOUTQ = 0x5411;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    /** Default of the sysctl net.core.somaxconn, the limit of a backlog (since Linux 5.4). */
    public static final int SOMAXCONN = 4096;

    private Sockets() {}
}
