package org.cabrank.socket;

import org.cabrank.kernel.Errno;

final class SendRemedies {
    private SendRemedies() {}

    /** Returns the remedy as the end of a message; empty if none is known. */
    static String of(int errno) {
        return switch (errno) {
            case Errno.EPERM ->
                "; a firewall rule of this host drops it: see nft list ruleset or iptables -S OUTPUT, and the rules of the"
                        + " cgroup (BPF)";
            case Errno.EACCES ->
                "; a broadcast address needs the option SO_BROADCAST; ip route get ADDRESS shows if a route prohibits the"
                        + " destination";
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH, Errno.EADDRNOTAVAIL ->
                "; no interface that is up leads to the destination from this source address: see ip route get ADDRESS and"
                        + " ip link";
            case Errno.ENETDOWN -> "; the interface is down: ip link set NAME up";
            case Errno.ENODEV, Errno.ENXIO ->
                "; the interface of the socket is gone: ip link lists the interfaces, bind a new socket";
            case Errno.EMSGSIZE ->
                "; it is longer than a datagram may be (65,507 bytes over IPv4), or than the path MTU where"
                        + " IP_MTU_DISCOVER or IPV6_MTU_DISCOVER forbids fragments: send less at once";
            case Errno.EAFNOSUPPORT ->
                "; the destination is of another address family than the socket: bind the socket to an address of the same"
                        + " family, or to [::] for both";
            case Errno.EDESTADDRREQ -> "; the socket is not connected: name a destination";
            case Errno.EINVAL ->
                "; the kernel does not take the destination: its port is 0, or the source address of the socket cannot reach"
                        + " it, as loopback cannot reach other hosts; or the named source is no address of this host";
            default -> "";
        };
    }
}
