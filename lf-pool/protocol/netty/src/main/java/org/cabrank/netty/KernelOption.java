package org.cabrank.netty;

import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.cabrank.kernel.Sockets;

/**
 * An option of Netty's that is one of the kernel's.
 *
 * @param get asks the kernel
 * @param set tells the kernel
 */
record KernelOption<T>(Function<ChannelSocketOptions, T> get, BiConsumer<ChannelSocketOptions, T> set) {

    /** Options of every connection. */
    static final Map<ChannelOption<?>, KernelOption<?>> STREAM = Map.of(
            ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_SNDBUF, number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF),
            ChannelOption.SO_REUSEADDR, flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR),
            ChannelOption.SO_LINGER,
                    new KernelOption<Integer>(ChannelSocketOptions::linger, ChannelSocketOptions::linger),
            ChannelOption.SO_KEEPALIVE, flag(Sockets.SOL_SOCKET, Sockets.SO_KEEPALIVE),
            ChannelOption.TCP_NODELAY, flag(Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY),
            ChannelOption.IP_TOS, typeOfService());

    /** Options of a Unix connection. */
    static final Map<ChannelOption<?>, KernelOption<?>> UNIX = Map.of(
            ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_SNDBUF, number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF));

    /** Options of a listening Unix socket. */
    static final Map<ChannelOption<?>, KernelOption<?>> UNIX_SERVER = Map.of(
            ChannelOption.SO_RCVBUF,
            number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_REUSEADDR,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR));

    /** Options of a listening socket. */
    static final Map<ChannelOption<?>, KernelOption<?>> SERVER = Map.of(
            ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_REUSEADDR, flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR),
            ChannelOption.TCP_FASTOPEN, number(Sockets.IPPROTO_TCP, Sockets.TCP_FASTOPEN));

    /** Options of a datagram socket. Those of multicast are set for both families of a socket that has both. */
    static final Map<ChannelOption<?>, KernelOption<?>> DATAGRAM = Map.of(
            ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_SNDBUF, number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF),
            ChannelOption.SO_REUSEADDR, flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR),
            ChannelOption.SO_BROADCAST, flag(Sockets.SOL_SOCKET, Sockets.SO_BROADCAST),
            ChannelOption.IP_TOS, typeOfService(),
            ChannelOption.IP_MULTICAST_TTL, ofBoth(Sockets.IP_MULTICAST_TTL, Sockets.IPV6_MULTICAST_HOPS),
            ChannelOption.IP_MULTICAST_LOOP_DISABLED,
                    inverted(ofBoth(Sockets.IP_MULTICAST_LOOP, Sockets.IPV6_MULTICAST_LOOP)));

    private static KernelOption<Integer> ofBoth(int ipv4, int ipv6) {
        return new KernelOption<>(socket -> socket.option(Sockets.IPPROTO_IP, ipv4), (socket, value) -> {
            socket.option(Sockets.IPPROTO_IP, ipv4, value);
            if (socket.isIpv6()) {
                socket.option(Sockets.IPPROTO_IPV6, ipv6, value);
            }
        });
    }

    private static KernelOption<Boolean> inverted(KernelOption<Integer> number) {
        return new KernelOption<>(
                socket -> number.get().apply(socket) == 0,
                (socket, value) -> number.set().accept(socket, value ? 0 : 1));
    }

    private static KernelOption<Integer> number(int level, int name) {
        return new KernelOption<>(
                socket -> socket.option(level, name), (socket, value) -> socket.option(level, name, value));
    }

    private static KernelOption<Boolean> flag(int level, int name) {
        return new KernelOption<>(
                socket -> socket.option(level, name) != 0,
                (socket, value) -> socket.option(level, name, value ? 1 : 0));
    }

    /** Type of service of IPv4 and traffic class of IPv6: a socket of IPv6 has both. */
    private static KernelOption<Integer> typeOfService() {
        return new KernelOption<>(
                socket -> socket.isIpv6()
                        ? socket.option(Sockets.IPPROTO_IPV6, Sockets.IPV6_TCLASS)
                        : socket.option(Sockets.IPPROTO_IP, Sockets.IP_TOS),
                (socket, value) -> {
                    socket.option(Sockets.IPPROTO_IP, Sockets.IP_TOS, value);
                    if (socket.isIpv6()) {
                        socket.option(Sockets.IPPROTO_IPV6, Sockets.IPV6_TCLASS, value);
                    }
                });
    }
}
