package org.cabrank.stream;

import java.net.SocketAddress;
import java.util.Objects;

/**
 * Options of one outgoing connection ({@link StreamReactor#connect}).
 *
 * @param shard number of the shard that serves the connection, from 0. With {@link #ANY_SHARD}, the shards take turns
 * @param localAddress address that the socket is bound to before it connects. It has the same family as the address of the peer. With port
 *     0 the kernel chooses the port; with null it chooses the address. Binding to a Unix address makes a file that the caller must remove
 * @param timeouts time limits of the connection. With null, the time limits of the reactor apply, but not its idle time-out
 * @param socketOptions options that are set before the socket is bound and connects. If an option is unfit or refused, the future fails
 * @param descriptorsMax as in {@link ListenOptions#descriptorsMax}. The future fails if it is not 0 and the address is no Unix address
 */
public record ConnectOptions(
        int shard,
        SocketAddress localAddress,
        StreamTimeouts timeouts,
        SocketOptions socketOptions,
        int descriptorsMax) {
    public static final int ANY_SHARD = -1;

    /** Any shard, any local address, the time limits of the reactor without the idle time-out, no socket options, no descriptors. */
    public static final ConnectOptions DEFAULT = new ConnectOptions(ANY_SHARD, null, null, SocketOptions.NONE, 0);

    public ConnectOptions {
        Objects.requireNonNull(socketOptions, "socketOptions");
        ListenOptions.requireDescriptors(descriptorsMax);
        if (shard < ANY_SHARD) {
            throw new IllegalArgumentException("the shard must be at least 0, or -1 for any, but is " + shard);
        }
    }

    public ConnectOptions withShard(int number) {
        return new ConnectOptions(number, localAddress, timeouts, socketOptions, descriptorsMax);
    }

    public ConnectOptions withLocalAddress(SocketAddress address) {
        return new ConnectOptions(shard, address, timeouts, socketOptions, descriptorsMax);
    }

    public ConnectOptions withTimeouts(StreamTimeouts changed) {
        return new ConnectOptions(shard, localAddress, changed, socketOptions, descriptorsMax);
    }

    public ConnectOptions withSocketOptions(SocketOptions changed) {
        return new ConnectOptions(shard, localAddress, timeouts, changed, descriptorsMax);
    }

    public ConnectOptions withDescriptorsMax(int count) {
        return new ConnectOptions(shard, localAddress, timeouts, socketOptions, count);
    }
}
