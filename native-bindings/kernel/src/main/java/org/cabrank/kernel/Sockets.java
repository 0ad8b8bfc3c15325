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
    /** Flag of socket(2) (or-ed to the type) and of accept4(2). */
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
    /** Lets several sockets have one address. The kernel spreads connections over them (since Linux 3.9). */
    public static final int SO_REUSEPORT = 15;

    /** Gives a {@link Ucred} of the peer of a Unix socket. */
    public static final int SO_PEERCRED = 17;

    public static final int SO_RCVLOWAT = 18;
    /** Takes the name of a network interface, up to 15 characters; empty for any interface. */
    public static final int SO_BINDTODEVICE = 25;
    /** Takes a {@link SocketFilterProgram} that returns the number of bytes to keep of each packet; 0 drops the packet. */
    public static final int SO_ATTACH_FILTER = 26;

    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_RCVBUFFORCE = 33;
    /** Mark of the packets, for routing and filters. */
    public static final int SO_MARK = 36;

    /** Takes {@code SOF_TIMESTAMPING_} flags. Control data of this type are three {@link TimeSpec}s: software, unused, hardware. */
    public static final int SO_TIMESTAMPING = 37;

    public static final int SO_DOMAIN = 39;
    /** Control data of this type are a number of 32 bits: the datagrams that the socket has dropped so far. */
    public static final int SO_RXQ_OVFL = 40;
    /** Time in us for which a blocking receive polls the network device (since Linux 3.11). */
    public static final int SO_BUSY_POLL = 46;

    /**
     * The CPU that took the last packet from the network device (since Linux 3.19). If set for a listening socket of a group with {@link
     * #SO_REUSEPORT}, the kernel prefers this socket for packets that the CPU receives (since Linux 6.2).
     */
    public static final int SO_INCOMING_CPU = 49;
    /**
     * Takes a {@link SocketFilterProgram} that selects the socket of a group with {@link #SO_REUSEPORT} for a connection. Sockets are
     * numbered from 0 in the order of their listen(2); if the number is too large, the kernel's hash decides (TCP: since Linux 4.6).
     */
    public static final int SO_ATTACH_REUSEPORT_CBPF = 51;

    /** Gives an array of 32-bit numbers; {@link #SK_MEMINFO_DROPS} is an index (since Linux 4.12). */
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
    /** Takes the name of a congestion control algorithm, up to 15 characters. */
    public static final int TCP_CONGESTION = 13;

    public static final int TCP_USER_TIMEOUT = 18;
    public static final int TCP_FASTOPEN = 23;
    public static final int TCP_NOTSENT_LOWAT = 25;

    public static final int IP_TOS = 1;
    public static final int IP_TTL = 2;
    /** Takes an {@code int}; control data of this type are an {@link InPktinfo}. */
    public static final int IP_PKTINFO = 8;

    public static final int IP_MTU_DISCOVER = 10;
    /** With {@link #MSG_ERRQUEUE}, control data of this type are a {@link SockExtendedErr}. */
    public static final int IP_RECVERR = 11;

    public static final int IP_RECVTOS = 13;
    /** Gives the path MTU of a connected socket. */
    public static final int IP_MTU = 14;
    /** bind(2) with port 0 binds only the address; connect(2) chooses the port later (since Linux 4.2). */
    public static final int IP_BIND_ADDRESS_NO_PORT = 24;

    /** Takes an {@link IpMreqn}. */
    public static final int IP_MULTICAST_IF = 32;

    public static final int IP_MULTICAST_TTL = 33;
    public static final int IP_MULTICAST_LOOP = 34;
    /** Takes a {@link GroupReq}, like MCAST_LEAVE_GROUP. The numbers are the same at the levels of IPv4 and IPv6. */
    public static final int MCAST_JOIN_GROUP = 42;

    public static final int MCAST_LEAVE_GROUP = 45;
    /** Takes a {@link GroupSourceReq}, like MCAST_LEAVE_SOURCE_GROUP. */
    public static final int MCAST_JOIN_SOURCE_GROUP = 46;

    public static final int MCAST_LEAVE_SOURCE_GROUP = 47;
    /** 0: the socket receives datagrams only of groups that it has joined itself, not of all groups of the host. */
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

    /** Size in bytes of the datagrams into which the kernel cuts the sent bytes; 16 bits in control data (since Linux 4.18). */
    public static final int UDP_SEGMENT = 103;
    /** Datagrams of a flow are received joined. An {@code int} in control data is the size of each (since Linux 5.0). */
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
    /** The error queue has the software time of a datagram even if it has the hardware time. */
    public static final int SOF_TIMESTAMPING_OPT_TX_SWHW = 16384;

    public static final int SO_EE_ORIGIN_LOCAL = 1;
    public static final int SO_EE_ORIGIN_ICMP = 2;
    public static final int SO_EE_ORIGIN_ICMP6 = 3;
    public static final int SO_EE_ORIGIN_TIMESTAMPING = 4;

    /** Index in {@link #SO_MEMINFO} of the number of bytes in the receive buffer. */
    public static final int SK_MEMINFO_RMEM_ALLOC = 0;

    /** Index in {@link #SO_MEMINFO} of the number of dropped datagrams. */
    public static final int SK_MEMINFO_DROPS = 8;

    public static final int MSG_PEEK = 0x02;
    /** Flag of a received message: control data did not fit, or descriptors could not be made. */
    public static final int MSG_CTRUNC = 0x08;

    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    /** Receives from the error queue. Also a flag of a message received from there. */
    public static final int MSG_ERRQUEUE = 0x2000;
    /** Raises no SIGPIPE if the call fails with EPIPE. */
    public static final int MSG_NOSIGNAL = 0x4000;

    /** Sets close-on-exec on descriptors that recvmsg(2) receives. */
    public static final int MSG_CMSG_CLOEXEC = 0x4000_0000;

    /** Type of control data of level SOL_SOCKET: descriptors, each an {@code int} (unix(7)). */
    public static final int SCM_RIGHTS = 1;

    /**
     * Request of ioctl(2): stores the number of bytes in the send buffer as an {@code int}. For TCP (tcp(7)), these are the bytes that the
     * peer has not acknowledged; for a Unix socket, the memory of data that the peer has not read.
     */
    public static final int SIOCOUTQ = 0x5411;

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    /** The kernel's default limit of a backlog (since Linux 5.4): the default of the sysctl net.core.somaxconn. */
    public static final int SOMAXCONN = 4096;

    private Sockets() {}
}
