package org.cabrank.netty;

import static java.util.Map.entry;

import io.netty.channel.ChannelOption;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.cabrank.kernel.Sockets;

record KernelOption<T>(Function<ChannelSocketOptions, T> get, BiConsumer<ChannelSocketOptions, T> set) {

    static final Map<ChannelOption<?>, KernelOption<?>> STREAM = Map.ofEntries(
            entry(ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF)),
            entry(ChannelOption.SO_SNDBUF, number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF)),
            entry(ChannelOption.SO_REUSEADDR, flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR)),
            entry(
                    ChannelOption.SO_LINGER,
                    new KernelOption<Integer>(ChannelSocketOptions::linger, ChannelSocketOptions::linger)),
            entry(ChannelOption.SO_KEEPALIVE, flag(Sockets.SOL_SOCKET, Sockets.SO_KEEPALIVE)),
            entry(ChannelOption.TCP_NODELAY, flag(Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY)),
            entry(ChannelOption.IP_TOS, typeOfService()),
            entry(ofEpoll("SO_BUSY_POLL"), number(Sockets.SOL_SOCKET, Sockets.SO_BUSY_POLL)),
            entry(ofEpoll("TCP_CORK"), flag(Sockets.IPPROTO_TCP, Sockets.TCP_CORK)),
            entry(ofEpoll("TCP_QUICKACK"), flag(Sockets.IPPROTO_TCP, Sockets.TCP_QUICKACK)),
            entry(ofEpoll("TCP_KEEPIDLE"), number(Sockets.IPPROTO_TCP, Sockets.TCP_KEEPIDLE)),
            entry(ofEpoll("TCP_KEEPINTVL"), number(Sockets.IPPROTO_TCP, Sockets.TCP_KEEPINTVL)),
            entry(ofEpoll("TCP_KEEPCNT"), number(Sockets.IPPROTO_TCP, Sockets.TCP_KEEPCNT)),
            entry(ofEpoll("TCP_USER_TIMEOUT"), number(Sockets.IPPROTO_TCP, Sockets.TCP_USER_TIMEOUT)),
            entry(ofEpoll("TCP_NOTSENT_LOWAT"), unsigned(Sockets.IPPROTO_TCP, Sockets.TCP_NOTSENT_LOWAT)),
            entry(
                    ChannelOption.valueOf("IP_BIND_ADDRESS_NO_PORT"),
                    flag(Sockets.IPPROTO_IP, Sockets.IP_BIND_ADDRESS_NO_PORT)));

    static final Map<ChannelOption<?>, KernelOption<?>> UNIX = Map.of(
            ChannelOption.SO_RCVBUF, number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_SNDBUF, number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF));

    static final Map<ChannelOption<?>, KernelOption<?>> UNIX_SERVER = Map.of(
            ChannelOption.SO_RCVBUF,
            number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_REUSEADDR,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR));

    private static final ChannelOption<Boolean> SO_REUSEPORT = ofUnix("SO_REUSEPORT");

    static final Map<ChannelOption<?>, KernelOption<?>> SERVER = Map.of(
            ChannelOption.SO_RCVBUF,
            number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_REUSEADDR,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR),
            ChannelOption.TCP_FASTOPEN,
            number(Sockets.IPPROTO_TCP, Sockets.TCP_FASTOPEN),
            SO_REUSEPORT,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT),
            ofEpoll("TCP_DEFER_ACCEPT"),
            number(Sockets.IPPROTO_TCP, Sockets.TCP_DEFER_ACCEPT));

    /** Multicast options are set for IPv4, and also for IPv6 if the socket has IPv6. */
    static final Map<ChannelOption<?>, KernelOption<?>> DATAGRAM = Map.of(
            ChannelOption.SO_RCVBUF,
            number(Sockets.SOL_SOCKET, Sockets.SO_RCVBUF),
            ChannelOption.SO_SNDBUF,
            number(Sockets.SOL_SOCKET, Sockets.SO_SNDBUF),
            ChannelOption.SO_REUSEADDR,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR),
            SO_REUSEPORT,
            flag(Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT),
            ChannelOption.SO_BROADCAST,
            flag(Sockets.SOL_SOCKET, Sockets.SO_BROADCAST),
            ChannelOption.IP_TOS,
            typeOfService(),
            ChannelOption.IP_MULTICAST_TTL,
            ofBoth(Sockets.IP_MULTICAST_TTL, Sockets.IPV6_MULTICAST_HOPS),
            ChannelOption.valueOf("IP_MULTICAST_ALL"),
            flag(Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_ALL),
            ChannelOption.IP_MULTICAST_LOOP_DISABLED,
            inverted(ofBoth(Sockets.IP_MULTICAST_LOOP, Sockets.IPV6_MULTICAST_LOOP)));

    /** Returns an option of Netty's native transports. Netty has one object for each name, so the transports' classes are not needed. */
    private static <T> ChannelOption<T> ofUnix(String name) {
        return ChannelOption.valueOf("io.netty.channel.unix.UnixChannelOption#" + name);
    }

    private static <T> ChannelOption<T> ofEpoll(String name) {
        return ChannelOption.valueOf("io.netty.channel.epoll.EpollChannelOption#" + name);
    }

    private static KernelOption<Long> unsigned(int level, int name) {
        return new KernelOption<>(
                socket -> Integer.toUnsignedLong(socket.option(level, name)),
                (socket, value) -> socket.option(level, name, value.intValue()));
    }

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
