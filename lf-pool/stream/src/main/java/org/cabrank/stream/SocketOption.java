package org.cabrank.stream;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.cabrank.stream.transport.OptionPlace;

/**
 * An option of a socket, with the name that it has in the kernel (tcp(7), socket(7), ip(7), ipv6(7)). For {@link ListenOptions}, {@link
 * ConnectOptions}, {@link Connection#option(SocketOption, Object)} and datagram sockets. For an option that has no constant here, use
 * {@link #ofInt} or {@link #ofBytes}. An IPv6 socket also takes options of IPv4, which apply to its IPv4 peers and groups.
 *
 * <p><b>Accepted sockets.</b> On Linux an accepted TCP socket inherits most options of the listener; the constants name the exceptions.
 * {@link ListenOptions#acceptedOptions} sets an inherited option once, on the listener, and other options on each accepted socket.
 *
 * <p><b>Unix sockets</b> take only {@link #SO_SNDBUF} and options by number, which the kernel checks. Other options are refused with an
 * IllegalArgumentException, although the kernel would ignore some of them without an error.
 *
 * @param <T> type of the value
 */
public final class SocketOption<T> {
    private enum Unit {
        FLAG,
        INT,
        SECONDS,
        MILLISECONDS,
        MICROSECONDS,
        TEXT,
        BYTES
    }

    private static final int TEXT_MAX = 15;
    private static final int BYTES_MAX = 4096;
    private static final long NANOS_PER_MICRO = 1_000;

    private static final Set<OptionPlace> ANYWHERE = EnumSet.allOf(OptionPlace.class);
    private static final Set<OptionPlace> STREAMS = EnumSet.complementOf(EnumSet.of(OptionPlace.DATAGRAM));
    private static final Set<OptionPlace> DATAGRAMS = EnumSet.of(OptionPlace.DATAGRAM);
    private static final int HOPS_MAX = 255;

    /** True turns Nagle's algorithm off. The default is true, because callbacks gather their writes. The kernel's default is false. */
    public static final SocketOption<Boolean> TCP_NODELAY = flag("TCP_NODELAY", STREAMS, true);

    /**
     * True, the default, acknowledges at once. False lets an acknowledgement wait for data of this side. The kernel changes the mode by
     * itself. If it is false before connecting, the last acknowledgement of the handshake waits for data. Not inherited.
     */
    public static final SocketOption<Boolean> TCP_QUICKACK = flag(
            "TCP_QUICKACK", EnumSet.of(OptionPlace.ACCEPTED, OptionPlace.CONNECTING, OptionPlace.CONNECTED), false);

    /** True sends only full segments, and partial ones after 200 ms. Default: false. Call {@link Connection#flush} before a change. */
    public static final SocketOption<Boolean> TCP_CORK = flag("TCP_CORK", STREAMS, true);

    /**
     * Time for which sent data may stay unacknowledged before the kernel ends the connection with ETIMEDOUT. In whole milliseconds, up to
     * 2,147,483,647. With 0, the default, the retransmissions of the kernel limit the time (net.ipv4.tcp_retries2).
     */
    public static final SocketOption<Duration> TCP_USER_TIMEOUT =
            time("TCP_USER_TIMEOUT", Unit.MILLISECONDS, 0, Integer.MAX_VALUE, STREAMS, true);

    /** If true, the kernel probes a silent peer. The default is false. */
    public static final SocketOption<Boolean> SO_KEEPALIVE = flag("SO_KEEPALIVE", STREAMS, true);

    /** Time without traffic before the first probe; whole seconds from 1 to 32,767. Default: net.ipv4.tcp_keepalive_time, 2 hours. */
    public static final SocketOption<Duration> TCP_KEEPIDLE =
            time("TCP_KEEPIDLE", Unit.SECONDS, 1, Short.MAX_VALUE, STREAMS, true);

    /** Time between probes; whole seconds from 1 to 32,767. Default: net.ipv4.tcp_keepalive_intvl, 75 s. */
    public static final SocketOption<Duration> TCP_KEEPINTVL =
            time("TCP_KEEPINTVL", Unit.SECONDS, 1, Short.MAX_VALUE, STREAMS, true);

    /** Unanswered probes after which the connection ends; from 1 to 127. Default: net.ipv4.tcp_keepalive_probes, 9. */
    public static final SocketOption<Integer> TCP_KEEPCNT = number("TCP_KEEPCNT", 1, Byte.MAX_VALUE, STREAMS, true);

    /**
     * Time that the kernel waits for the first data before it hands over a connection. In whole seconds, 0 to 2,147,483,647; default 0. The
     * kernel rounds it up to a number of retransmissions. If set before connecting, it delays the last acknowledgement of the handshake.
     */
    public static final SocketOption<Duration> TCP_DEFER_ACCEPT = time(
            "TCP_DEFER_ACCEPT",
            Unit.SECONDS,
            0,
            Integer.MAX_VALUE,
            EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING),
            false);

    /**
     * Maximum number of connections with data in their SYN that wait for the end of the handshake. From 0 to 2,147,483,647, limited to
     * net.core.somaxconn. The default is 0 (none). Needs bit 2 of net.ipv4.tcp_fastopen. For listeners.
     */
    public static final SocketOption<Integer> TCP_FASTOPEN =
            number("TCP_FASTOPEN", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER), false);

    /** Number of unsent bytes up to which the socket becomes writable, from 0. With 0, the default, net.ipv4.tcp_notsent_lowat applies. */
    public static final SocketOption<Integer> TCP_NOTSENT_LOWAT =
            number("TCP_NOTSENT_LOWAT", 0, Integer.MAX_VALUE, STREAMS, true);

    /**
     * Size of the receive buffer in bytes, from 1 to 1,073,741,823. The kernel limits it to net.core.rmem_max and doubles it. By default
     * the kernel adapts the size to the traffic (net.ipv4.tcp_rmem). On a listener the option also limits the TCP window that is offered.
     */
    public static final SocketOption<Integer> SO_RCVBUF = number("SO_RCVBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /**
     * Size of the send buffer in bytes, from 1 to 1,073,741,823. The kernel limits it to net.core.wmem_max and doubles it. By default the
     * kernel adapts the size of a TCP socket to the traffic (net.ipv4.tcp_wmem). Accepted Unix sockets do not inherit the option.
     */
    public static final SocketOption<Integer> SO_SNDBUF = number("SO_SNDBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /** Time for which a receive polls the device, in whole microseconds. Default: net.core.busy_read, 0. More may need CAP_NET_ADMIN. */
    public static final SocketOption<Duration> SO_BUSY_POLL =
            time("SO_BUSY_POLL", Unit.MICROSECONDS, 0, Integer.MAX_VALUE, ANYWHERE, true);

    /** True keeps the device's interrupts off during a busy poll (Linux 5.11; napi.rst). Needs CAP_NET_ADMIN. Default: false. */
    public static final SocketOption<Boolean> SO_PREFER_BUSY_POLL = flag("SO_PREFER_BUSY_POLL", ANYWHERE, true);

    /** Maximum number of packets of a busy poll, 1 to 65,535 (Linux 5.11); default 8. More needs CAP_NET_ADMIN. Cannot be read. */
    public static final SocketOption<Integer> SO_BUSY_POLL_BUDGET =
            number("SO_BUSY_POLL_BUDGET", 1, 65_535, ANYWHERE, true);

    /**
     * Number of a CPU, from 0. The kernel prefers this listener or datagram socket in its SO_REUSEPORT group for packets of that CPU. Linux
     * 4.6 to 6.1 ignore the option in such a group. On a connection the option can only be read, and is the CPU that received the last
     * packet. The default is -1, no CPU. Accepted sockets do not inherit it.
     */
    public static final SocketOption<Integer> SO_INCOMING_CPU = number(
            "SO_INCOMING_CPU", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER, OptionPlace.DATAGRAM), false);

    /** Priority of packets for queueing disciplines, from 0; default 0. Above 6 needs CAP_NET_ADMIN. Accepted sockets do not inherit it. */
    public static final SocketOption<Integer> SO_PRIORITY =
            number("SO_PRIORITY", 0, Integer.MAX_VALUE, ANYWHERE, false);

    /** Type of service of IPv4 packets, 0 to 255; default 0. TCP sets the lower two bits. The option also changes {@link #SO_PRIORITY}. */
    public static final SocketOption<Integer> IP_TOS = number("IP_TOS", 0, 255, ANYWHERE, true);

    /** Traffic class of IPv6 packets, 0 to 255. The default is 0. On a TCP socket the kernel sets the lower two bits. For IPv6 sockets. */
    public static final SocketOption<Integer> IPV6_TCLASS = number("IPV6_TCLASS", 0, 255, ANYWHERE, true);

    /** Mark of the packets for routing and filters; any number. Needs CAP_NET_ADMIN or, since Linux 5.17, CAP_NET_RAW. Default: 0. */
    public static final SocketOption<Integer> SO_MARK =
            number("SO_MARK", Integer.MIN_VALUE, Integer.MAX_VALUE, ANYWHERE, true);

    /** If true, an IPv6 socket with the wildcard address does not serve IPv4 peers. The default is net.ipv6.bindv6only, false. */
    public static final SocketOption<Boolean> IPV6_V6ONLY =
            flag("IPV6_V6ONLY", EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING, OptionPlace.DATAGRAM), true);

    /**
     * Name of the network interface that the packets must come from and go to, up to 15 characters. The default is empty, for any
     * interface. To change a name needs CAP_NET_RAW. Before Linux 5.7 the first name also needs it.
     */
    public static final SocketOption<String> SO_BINDTODEVICE = text("SO_BINDTODEVICE", ANYWHERE);

    /**
     * Name of the congestion control algorithm, up to 15 characters. It must be in net.ipv4.tcp_available_congestion_control. If it is not
     * in net.ipv4.tcp_allowed_congestion_control, it needs CAP_NET_ADMIN. The default is net.ipv4.tcp_congestion_control.
     */
    public static final SocketOption<String> TCP_CONGESTION = text("TCP_CONGESTION", STREAMS);

    /** True permits datagrams to broadcast addresses. With false, the default, they are refused with EACCES. For datagram sockets. */
    public static final SocketOption<Boolean> SO_BROADCAST = flag("SO_BROADCAST", DATAGRAMS, false);

    /** Maximum number of routers that a unicast IPv4 datagram may pass, 1 to 255. The default is net.ipv4.ip_default_ttl, 64. */
    public static final SocketOption<Integer> IP_TTL = number("IP_TTL", 1, HOPS_MAX, DATAGRAMS, false);

    /** Like {@link #IP_TTL}, but for IPv6 datagrams. With -1 the route's default is used. */
    public static final SocketOption<Integer> IPV6_UNICAST_HOPS =
            number("IPV6_UNICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /** Maximum number of networks that a multicast IPv4 datagram may cross, 0 (only this host) to 255. The default is 1. */
    public static final SocketOption<Integer> IP_MULTICAST_TTL =
            number("IP_MULTICAST_TTL", 0, HOPS_MAX, DATAGRAMS, false);

    /** Like {@link #IP_MULTICAST_TTL}, but for IPv6 datagrams. From -1 to 255. With -1 the default of 1 is used. */
    public static final SocketOption<Integer> IPV6_MULTICAST_HOPS =
            number("IPV6_MULTICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /** If true, the default, members of an IPv4 group on this host also receive the datagrams that this socket sends to the group. */
    public static final SocketOption<Boolean> IP_MULTICAST_LOOP = flag("IP_MULTICAST_LOOP", DATAGRAMS, false);

    /** Like {@link #IP_MULTICAST_LOOP}, but for IPv6. */
    public static final SocketOption<Boolean> IPV6_MULTICAST_LOOP = flag("IPV6_MULTICAST_LOOP", DATAGRAMS, false);

    /** If true, the socket also receives datagrams of IPv4 groups that only other sockets have joined. Default: false (kernel: true). */
    public static final SocketOption<Boolean> IP_MULTICAST_ALL = flag("IP_MULTICAST_ALL", DATAGRAMS, false);

    /** Like {@link #IP_MULTICAST_ALL}, but for IPv6 groups (Linux 4.20). */
    public static final SocketOption<Boolean> IPV6_MULTICAST_ALL = flag("IPV6_MULTICAST_ALL", DATAGRAMS, false);

    /**
     * Handling of datagrams that are longer than the path MTU. 0: this host fragments them. 1, the default: the route decides. 2: they are
     * refused with EMSGSIZE. 3 and 4: the path MTU is ignored, and routers may not fragment. 5: like 4, but this host may fragment.
     */
    public static final SocketOption<Integer> IP_MTU_DISCOVER = number("IP_MTU_DISCOVER", 0, 5, DATAGRAMS, false);

    /** Like {@link #IP_MTU_DISCOVER}, but for IPv6. */
    public static final SocketOption<Integer> IPV6_MTU_DISCOVER = number("IPV6_MTU_DISCOVER", 0, 5, DATAGRAMS, false);

    private static final int BY_NAME = -1;

    private final String name;
    private final Unit unit;
    private final long min;
    private final long max;
    private final Set<OptionPlace> places;
    private final boolean inherited;
    private final int level;
    private final int number;

    private SocketOption(
            String name,
            Unit unit,
            long min,
            long max,
            Set<OptionPlace> places,
            boolean inherited,
            int level,
            int number) {
        this.name = name;
        this.unit = unit;
        this.min = min;
        this.max = max;
        this.places = places;
        this.inherited = inherited;
        this.level = level;
        this.number = number;
    }

    private static SocketOption<Boolean> flag(String name, Set<OptionPlace> places, boolean inherited) {
        return new SocketOption<>(name, Unit.FLAG, 0, 1, places, inherited, BY_NAME, BY_NAME);
    }

    private static SocketOption<Integer> number(
            String name, int min, int max, Set<OptionPlace> places, boolean inherited) {
        return new SocketOption<>(name, Unit.INT, min, max, places, inherited, BY_NAME, BY_NAME);
    }

    private static SocketOption<Duration> time(
            String name, Unit unit, int min, int max, Set<OptionPlace> places, boolean inherited) {
        return new SocketOption<>(name, unit, min, max, places, inherited, BY_NAME, BY_NAME);
    }

    private static SocketOption<String> text(String name, Set<OptionPlace> places) {
        return new SocketOption<>(name, Unit.TEXT, 0, TEXT_MAX, places, true, BY_NAME, BY_NAME);
    }

    /**
     * Returns an {@code int} option for which there is no constant. {@link ListenOptions#acceptedOptions} sets it on each accepted socket.
     *
     * @param level a {@code SOL_} or {@code IPPROTO_} number of this ABI, from 0
     * @param number the option's number on that level, from 0
     */
    public static SocketOption<Integer> ofInt(int level, int number) {
        return byNumber(Unit.INT, Integer.MIN_VALUE, Integer.MAX_VALUE, level, number);
    }

    /** Like {@link #ofInt}, for a structure of up to 4,096 bytes in native byte order. An array is copied when the option is set. */
    public static SocketOption<byte[]> ofBytes(int level, int number) {
        return byNumber(Unit.BYTES, 0, BYTES_MAX, level, number);
    }

    private static <T> SocketOption<T> byNumber(Unit unit, int min, int max, int level, int number) {
        if (level < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "level and number of an option must be at least 0, but are " + level + " and " + number);
        }
        String name = "option " + number + " of level " + level;
        return new SocketOption<>(name, unit, min, max, ANYWHERE, false, level, number);
    }

    /** Name of the option in the kernel. For an option by number, its level and number. */
    public String name() {
        return name;
    }

    public boolean isByNumber() {
        return level != BY_NAME;
    }

    /** Returns the level of an option by number. */
    public int level() {
        return level;
    }

    public int number() {
        return number;
    }

    /** Returns true if accepted TCP sockets inherit the option from their listener. */
    public boolean isInherited() {
        return inherited;
    }

    /** Maximum size in bytes of the kernel's value. */
    public int bytesMax() {
        return unit == Unit.BYTES ? BYTES_MAX : unit == Unit.TEXT ? TEXT_MAX + 1 : Integer.BYTES;
    }

    /**
     * Checks that the option has an effect on a socket with this address or peer.
     *
     * @throws IllegalArgumentException if the option has no effect there. The message names the option, the reason and a remedy
     * @hidden
     */
    @SuppressWarnings("exports")
    public void requireFit(SocketAddress address, OptionPlace place) {
        Objects.requireNonNull(place, "place");
        if (isByNumber()) {
            return;
        }
        if (!(address instanceof InetSocketAddress) && this != (Object) SO_SNDBUF) {
            throw new IllegalArgumentException(
                    name + " has no effect on a Unix socket (" + address + "): leave the option out");
        }
        if (!places.contains(place)) {
            throw new IllegalArgumentException(name + " cannot be set on " + place.noun() + ": set it on "
                    + places.stream()
                            .map(OptionPlace::noun)
                            .reduce((some, more) -> some + " or " + more)
                            .orElseThrow());
        }
    }

    /** Returns the bytes that setsockopt(2) takes. Throws {@link IllegalArgumentException} if the value is out of range. */
    public byte[] encode(T value) {
        Objects.requireNonNull(value, name);
        return switch (unit) {
            case FLAG -> ofInt((Boolean) value ? 1 : 0);
            case INT -> ofInt(inRange((Integer) value));
            case SECONDS, MILLISECONDS, MICROSECONDS -> ofInt(whole(inRange((Duration) value)));
            case TEXT -> lengthInRange(((String) value).getBytes(StandardCharsets.US_ASCII));
            case BYTES -> lengthInRange(((byte[]) value).clone());
        };
    }

    private static byte[] ofInt(long value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt((int) value)
                .array();
    }

    private int inRange(Integer value) {
        if (value < min || value > max) {
            throw outOfRange(value);
        }
        return value;
    }

    private Duration inRange(Duration value) {
        if (value.compareTo(duration(min)) < 0 || value.compareTo(duration(max)) > 0) {
            throw outOfRange(value);
        }
        return value;
    }

    private IllegalArgumentException outOfRange(Object value) {
        String in = unit == Unit.INT ? "" : " " + unit.name().toLowerCase(java.util.Locale.ROOT);
        return new IllegalArgumentException(name + " must be from " + min + " to " + max + in + ", but is " + value);
    }

    private long whole(Duration value) {
        long units = value.dividedBy(duration(1));
        if (!value.equals(duration(units))) {
            throw new IllegalArgumentException(
                    name + " takes whole " + unit.name().toLowerCase(java.util.Locale.ROOT) + ", but is " + value);
        }
        return units;
    }

    private byte[] lengthInRange(byte[] bytes) {
        if (bytes.length > max) {
            throw new IllegalArgumentException(
                    name + " takes up to " + max + " characters or bytes, but has " + bytes.length);
        }
        return bytes;
    }

    private Duration duration(long units) {
        return switch (unit) {
            case MILLISECONDS -> Duration.ofMillis(units);
            case MICROSECONDS -> Duration.ofNanos(units * NANOS_PER_MICRO);
            default -> Duration.ofSeconds(units);
        };
    }

    /** Returns the value of bytes that getsockopt(2) has written. */
    @SuppressWarnings("unchecked") // the unit decides on the type
    public T decode(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        return (T)
                switch (unit) {
                    case FLAG -> (Object) (toInt(bytes) != 0);
                    case INT -> toInt(bytes);
                    case SECONDS, MILLISECONDS, MICROSECONDS -> duration(toInt(bytes));
                    case TEXT -> new String(bytes, StandardCharsets.US_ASCII).replaceFirst("\0.*", "");
                    case BYTES -> bytes.clone();
                };
    }

    private static int toInt(byte[] bytes) {
        return bytes.length == 1
                ? Byte.toUnsignedInt(bytes[0])
                : ByteBuffer.wrap(Arrays.copyOf(bytes, Integer.BYTES))
                        .order(ByteOrder.nativeOrder())
                        .getInt();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || isByNumber()
                        && other instanceof SocketOption<?> option
                        && option.level == level
                        && option.number == number
                        && option.unit == unit;
    }

    @Override
    public int hashCode() {
        return isByNumber() ? Objects.hash(level, number) : name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
