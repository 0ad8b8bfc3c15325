package org.cabrank.socket;

import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Objects;
import org.cabrank.stream.SocketOptions;

/**
 * Options of a {@link UdpSocket}. Immutable.
 *
 * @param socketOptions options that are set before the socket is bound. An option that is not for datagram sockets, or that the
 *     kernel refuses, fails the bind
 * @param sharedAddress true lets several sockets bind to one address if all of them ask for that ({@code SO_REUSEADDR}): each gets
 *     every multicast datagram. Of unicast datagrams only the socket that was bound last gets any
 * @param sharedPort true lets several sockets of one user bind to one address ({@code SO_REUSEPORT}): the kernel spreads datagrams
 *     over them by a hash of both addresses
 * @param multicastInterface interface that multicast datagrams leave by; null: the kernel chooses by the route
 * @param peer address that the socket is connected to (connect(2)): only datagrams of this peer are received, and
 *     {@link UdpSocket#send(java.nio.ByteBuffer)} sends to this peer; null: not connected
 * @param ordered true calls the handler for one datagram after the other, in the order of arrival; false on as many threads at once
 *     as the pool has
 */
public record DatagramOptions(
        SocketOptions socketOptions,
        boolean sharedAddress,
        boolean sharedPort,
        NetworkInterface multicastInterface,
        InetSocketAddress peer,
        boolean ordered) {
    /** No socket options, an address of one socket, not connected, handled on several threads at once. */
    public static final DatagramOptions DEFAULT =
            new DatagramOptions(SocketOptions.NONE, false, false, null, null, false);

    public DatagramOptions {
        Objects.requireNonNull(socketOptions, "socketOptions");
        if (peer != null && peer.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + peer);
        }
    }

    public DatagramOptions withSocketOptions(SocketOptions changed) {
        return new DatagramOptions(changed, sharedAddress, sharedPort, multicastInterface, peer, ordered);
    }

    public DatagramOptions withSharedAddress(boolean changed) {
        return new DatagramOptions(socketOptions, changed, sharedPort, multicastInterface, peer, ordered);
    }

    public DatagramOptions withSharedPort(boolean changed) {
        return new DatagramOptions(socketOptions, sharedAddress, changed, multicastInterface, peer, ordered);
    }

    public DatagramOptions withMulticastInterface(NetworkInterface changed) {
        return new DatagramOptions(socketOptions, sharedAddress, sharedPort, changed, peer, ordered);
    }

    public DatagramOptions withPeer(InetSocketAddress changed) {
        return new DatagramOptions(socketOptions, sharedAddress, sharedPort, multicastInterface, changed, ordered);
    }

    public DatagramOptions withOrdered(boolean changed) {
        return new DatagramOptions(socketOptions, sharedAddress, sharedPort, multicastInterface, peer, changed);
    }
}
