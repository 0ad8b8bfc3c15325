package org.cabrank.stream;

import java.net.SocketAddress;
import java.util.Objects;

/**
 * Options of one outgoing connection ({@link StreamReactor#connect}).
 *
 * @param shard number of the shard that serves the connection, from 0; {@link #ANY_SHARD}: shards take turns
 * @param localAddress address that the socket is bound to before it connects, of the family of the peer's address, with port 0 for any;
 *     null: the kernel chooses. Binding to a Unix address makes a file, which the caller removes
 * @param timeouts time limits of the connection; null: those of the reactor, without its idle time-out, which is for servers
 * @param socketOptions set before the socket is bound and connects. An unfit or refused option fails the future
 * @param descriptorsMax as in {@link ListenOptions#descriptorsMax}; 0: none are passed. If not 0, an address that is not a Unix address
 *     fails the future
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
