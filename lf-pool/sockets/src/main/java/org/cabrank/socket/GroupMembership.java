package org.cabrank.socket;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.concurrent.atomic.AtomicBoolean;

/** Membership of a {@link UdpSocket} in a multicast group. Ends with {@link #close} or with the socket. Any thread may call the methods. */
public final class GroupMembership implements AutoCloseable {
    private final UdpSocket socket;
    private final InetAddress group;
    private final NetworkInterface via;
    private final InetAddress source;
    private final byte[] groupBytes;
    private final AtomicBoolean left = new AtomicBoolean();

    GroupMembership(UdpSocket socket, InetAddress group, NetworkInterface via, InetAddress source) {
        this.socket = socket;
        this.group = group;
        this.via = via;
        this.source = source;
        this.groupBytes = group.getAddress();
    }

    public InetAddress group() {
        return group;
    }

    /** Interface on which the group was joined; null if the kernel has chosen the interface. */
    public NetworkInterface networkInterface() {
        return via;
    }

    /** The only sender whose datagrams are received, or null for all senders. */
    public InetAddress source() {
        return source;
    }

    /**
     * Returns true if the datagram was sent to the group, and has arrived on the {@link #networkInterface} (on any if it is null). Returns
     * false without {@link DatagramDetail#DESTINATION}. Must be called in the handler. Allocates nothing.
     */
    public boolean includes(Datagram datagram) {
        return datagram.details().isTo(groupBytes) && (via == null || via.getIndex() == datagram.interfaceIndex());
    }

    /** Leaves the group; a second call has no effect. Datagrams that are in the receive buffer still arrive. */
    @Override
    public void close() {
        if (!left.getAndSet(true)) {
            socket.leave(this);
        }
    }

    @Override
    public String toString() {
        return group.getHostAddress()
                + (source == null ? "" : " of source " + source.getHostAddress())
                + (via == null ? "" : " on " + via.getName());
    }
}
