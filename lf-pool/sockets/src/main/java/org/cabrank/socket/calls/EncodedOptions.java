package org.cabrank.socket.calls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.SocketOptions;
import org.cabrank.stream.transport.OptionPlace;

/** Options for sockets of one kind, checked and encoded for setsockopt(2). Immutable. */
public final class EncodedOptions {
    private record Number(int level, int name) {}

    private record Encoded(SocketOption<?> option, Number number, byte[] value, String words) {}

    private static final Map<SocketOption<?>, Number> NUMBERS = Map.ofEntries(
            tcp(SocketOption.TCP_NODELAY, Sockets.TCP_NODELAY),
            tcp(SocketOption.TCP_QUICKACK, Sockets.TCP_QUICKACK),
            tcp(SocketOption.TCP_CORK, Sockets.TCP_CORK),
            tcp(SocketOption.TCP_USER_TIMEOUT, Sockets.TCP_USER_TIMEOUT),
            socket(SocketOption.SO_KEEPALIVE, Sockets.SO_KEEPALIVE),
            tcp(SocketOption.TCP_KEEPIDLE, Sockets.TCP_KEEPIDLE),
            tcp(SocketOption.TCP_KEEPINTVL, Sockets.TCP_KEEPINTVL),
            tcp(SocketOption.TCP_KEEPCNT, Sockets.TCP_KEEPCNT),
            tcp(SocketOption.TCP_DEFER_ACCEPT, Sockets.TCP_DEFER_ACCEPT),
            tcp(SocketOption.TCP_FASTOPEN, Sockets.TCP_FASTOPEN),
            tcp(SocketOption.TCP_NOTSENT_LOWAT, Sockets.TCP_NOTSENT_LOWAT),
            socket(SocketOption.SO_RCVBUF, Sockets.SO_RCVBUF),
            socket(SocketOption.SO_SNDBUF, Sockets.SO_SNDBUF),
            socket(SocketOption.SO_BUSY_POLL, Sockets.SO_BUSY_POLL),
            socket(SocketOption.SO_PREFER_BUSY_POLL, Sockets.SO_PREFER_BUSY_POLL),
            socket(SocketOption.SO_BUSY_POLL_BUDGET, Sockets.SO_BUSY_POLL_BUDGET),
            socket(SocketOption.SO_INCOMING_CPU, Sockets.SO_INCOMING_CPU),
            socket(SocketOption.SO_PRIORITY, Sockets.SO_PRIORITY),
            ip(SocketOption.IP_TOS, Sockets.IP_TOS),
            ip(SocketOption.IP_TTL, Sockets.IP_TTL),
            ip(SocketOption.IP_MULTICAST_TTL, Sockets.IP_MULTICAST_TTL),
            ip(SocketOption.IP_MULTICAST_LOOP, Sockets.IP_MULTICAST_LOOP),
            ip(SocketOption.IP_MULTICAST_ALL, Sockets.IP_MULTICAST_ALL),
            ip(SocketOption.IP_MTU_DISCOVER, Sockets.IP_MTU_DISCOVER),
            ipv6(SocketOption.IPV6_MTU_DISCOVER, Sockets.IPV6_MTU_DISCOVER),
            ipv6(SocketOption.IPV6_TCLASS, Sockets.IPV6_TCLASS),
            ipv6(SocketOption.IPV6_UNICAST_HOPS, Sockets.IPV6_UNICAST_HOPS),
            ipv6(SocketOption.IPV6_MULTICAST_HOPS, Sockets.IPV6_MULTICAST_HOPS),
            ipv6(SocketOption.IPV6_MULTICAST_LOOP, Sockets.IPV6_MULTICAST_LOOP),
            ipv6(SocketOption.IPV6_MULTICAST_ALL, Sockets.IPV6_MULTICAST_ALL),
            socket(SocketOption.SO_BROADCAST, Sockets.SO_BROADCAST),
            socket(SocketOption.SO_MARK, Sockets.SO_MARK),
            ipv6(SocketOption.IPV6_V6ONLY, Sockets.IPV6_V6ONLY),
            socket(SocketOption.SO_BINDTODEVICE, Sockets.SO_BINDTODEVICE),
            tcp(SocketOption.TCP_CONGESTION, Sockets.TCP_CONGESTION));

    /** Options that affect only speed, so that a socket works without them. */
    private static final Set<SocketOption<?>> HINTS = Set.of(
            SocketOption.SO_BUSY_POLL,
            SocketOption.SO_PREFER_BUSY_POLL,
            SocketOption.SO_BUSY_POLL_BUDGET,
            SocketOption.SO_INCOMING_CPU,
            SocketOption.SO_PRIORITY);

    private static final int WORDS_MAX = 64;

    public static final EncodedOptions NONE = new EncodedOptions(List.of());

    private final List<Encoded> encoded;

    private EncodedOptions(List<Encoded> encoded) {
        this.encoded = encoded;
    }

    private static Map.Entry<SocketOption<?>, Number> tcp(SocketOption<?> option, int name) {
        return Map.entry(option, new Number(Sockets.IPPROTO_TCP, name));
    }

    private static Map.Entry<SocketOption<?>, Number> socket(SocketOption<?> option, int name) {
        return Map.entry(option, new Number(Sockets.SOL_SOCKET, name));
    }

    private static Map.Entry<SocketOption<?>, Number> ip(SocketOption<?> option, int name) {
        return Map.entry(option, new Number(Sockets.IPPROTO_IP, name));
    }

    private static Map.Entry<SocketOption<?>, Number> ipv6(SocketOption<?> option, int name) {
        return Map.entry(option, new Number(Sockets.IPPROTO_IPV6, name));
    }

    /** Returns the options for a listener, plus the options that accepted sockets inherit from it. */
    public static EncodedOptions ofListener(ListenOptions options, SocketAddress address) {
        List<Encoded> all = new ArrayList<>();
        SocketOptions own = options.socketOptions();
        SocketOptions accepted = options.acceptedOptions();
        boolean isNoDelayGiven =
                own.get(SocketOption.TCP_NODELAY) != null || accepted.get(SocketOption.TCP_NODELAY) != null;
        addNoDelay(all, address, isNoDelayGiven);
        addAll(all, own, address, OptionPlace.LISTENER);
        for (SocketOption<?> option : accepted.options()) {
            if (isSetOnListener(option, options, address)) {
                add(all, option, accepted, address, OptionPlace.ACCEPTED);
            }
        }
        return new EncodedOptions(List.copyOf(all));
    }

    /** Returns the options to set on each accepted socket, because it does not inherit them from the listener. */
    public static EncodedOptions ofAccepted(ListenOptions options, SocketAddress address) {
        List<Encoded> all = new ArrayList<>();
        for (SocketOption<?> option : options.acceptedOptions().options()) {
            if (!isSetOnListener(option, options, address)) {
                add(all, option, options.acceptedOptions(), address, OptionPlace.ACCEPTED);
            }
        }
        return all.isEmpty() ? NONE : new EncodedOptions(List.copyOf(all));
    }

    private static boolean isSetOnListener(SocketOption<?> option, ListenOptions options, SocketAddress address) {
        return option.isInherited()
                && address instanceof InetSocketAddress
                && options.socketOptions().get(option) == null;
    }

    public static EncodedOptions ofConnecting(SocketOptions options, SocketAddress peer) {
        List<Encoded> all = new ArrayList<>();
        addNoDelay(all, peer, options.get(SocketOption.TCP_NODELAY) != null);
        addAll(all, options, peer, OptionPlace.CONNECTING);
        return new EncodedOptions(all);
    }

    public static EncodedOptions ofDatagrams(SocketOptions options, SocketAddress address) {
        List<Encoded> all = new ArrayList<>();
        addAll(all, options, address, OptionPlace.DATAGRAM);
        return new EncodedOptions(all);
    }

    private static void addNoDelay(List<Encoded> all, SocketAddress address, boolean isGiven) {
        if (address instanceof InetSocketAddress && !isGiven) {
            all.add(encoded(SocketOption.TCP_NODELAY, true));
        }
    }

    private static void addAll(List<Encoded> all, SocketOptions options, SocketAddress address, OptionPlace place) {
        for (SocketOption<?> option : options.options()) {
            add(all, option, options, address, place);
        }
    }

    private static <T> void add(
            List<Encoded> all,
            SocketOption<T> option,
            SocketOptions options,
            SocketAddress address,
            OptionPlace place) {
        option.requireFit(address, place);
        all.add(encoded(option, options.get(option)));
    }

    private static <T> Encoded encoded(SocketOption<T> option, T value) {
        byte[] bytes = option.encode(value);
        String words = value instanceof byte[] ? bytes.length + " bytes" : value.toString();
        return new Encoded(option, number(option), bytes, option.name() + " (" + shortened(words) + ")");
    }

    private static String shortened(String words) {
        return words.length() <= WORDS_MAX ? words : words.substring(0, WORDS_MAX) + "…";
    }

    private static Number number(SocketOption<?> option) {
        return option.isByNumber() ? new Number(option.level(), option.number()) : NUMBERS.get(option);
    }

    public boolean isEmpty() {
        return encoded.isEmpty();
    }

    /** @throws IOException if the kernel refuses an option. The message names the option, the errno and the remedy */
    public void set(SocketOps sockets, int fd) throws IOException {
        for (int i = 0; i < encoded.size(); i++) { // without an iterator, because this runs for each connection
            set(sockets, fd, encoded.get(i));
        }
    }

    /** As {@link #set(SocketOps, int)}, but skips a refused option that only affects speed, and passes a message to {@code leftOut}. */
    public void set(SocketOps sockets, int fd, Consumer<String> leftOut) throws IOException {
        for (Encoded each : encoded) {
            try {
                set(sockets, fd, each);
            } catch (IOException refused) {
                if (!HINTS.contains(each.option)) {
                    throw refused;
                }
                leftOut.accept("go without " + each.option.name() + ": " + refused.getMessage());
            }
        }
    }

    /** Tries the options on a temporary socket before anything listens. Skips options given by number, which may need a connection. */
    public void tryOut(SocketOps sockets, SocketAddress address) throws IOException {
        if (encoded.stream().allMatch(each -> each.option.isByNumber())) {
            return;
        }
        int fd = Errno.check("socket", sockets.streamSocket(address));
        try {
            for (Encoded each : encoded) {
                if (!each.option.isByNumber()) {
                    set(sockets, fd, each);
                }
            }
        } finally {
            sockets.close(fd);
        }
    }

    private static void set(SocketOps sockets, int fd, Encoded one) throws IOException {
        int result = sockets.setOption(fd, one.number.level, one.number.name, one.value);
        if (result < 0) {
            throw refusal("setsockopt " + one.words, one.option, result);
        }
    }

    public static <T> void set(SocketOps sockets, int fd, SocketOption<T> option, T value) throws IOException {
        set(sockets, fd, encoded(option, value));
    }

    public static <T> T get(SocketOps sockets, int fd, SocketOption<T> option) throws IOException {
        Number number = number(option);
        byte[] room = new byte[option.bytesMax()];
        int length = sockets.option(fd, number.level, number.name, room);
        if (length < 0) {
            throw refusal("getsockopt " + option, option, length);
        }
        return option.decode(Arrays.copyOf(room, length));
    }

    private static IOException refusal(String call, SocketOption<?> option, int result) {
        IOException cause = Errno.exception(call, result);
        return new IOException(cause.getMessage() + remedy(option, -result), cause);
    }

    private static String remedy(SocketOption<?> option, int errno) {
        return switch (errno) {
            case Errno.EPERM, Errno.EACCES ->
                "; the option or the value takes "
                        + (option.equals(SocketOption.SO_BINDTODEVICE) ? "CAP_NET_RAW" : "CAP_NET_ADMIN")
                        + ": grant the capability (setcap, systemd AmbientCapabilities), or leave the option out";
            case Errno.ENOENT -> // of TCP_CONGESTION
                "; sysctl net.ipv4.tcp_available_congestion_control lists the algorithms: choose one of them, or load"
                        + " the module of this one (modprobe tcp_NAME)";
            case Errno.ENODEV -> "; ip link lists the network interfaces: choose one of them";
            case Errno.ENOPROTOOPT ->
                option.name().startsWith("IPV6_")
                        ? "; the option is for IPv6 sockets: leave it out, or use an IPv6 address"
                        : "; this kernel does not know the option for this kind of socket: leave it out";
            case Errno.EOPNOTSUPP -> "; this kind of socket does not support the option: leave it out";
            case Errno.EINVAL ->
                "; the kernel does not take this value, or not in the present state of the socket: see the manual page"
                        + " of the option";
            default -> "";
        };
    }
}
