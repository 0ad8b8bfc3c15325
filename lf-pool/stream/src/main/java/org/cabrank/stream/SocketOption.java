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
 * An option of a socket, which the kernel knows by the same name: for {@link ListenOptions}, {@link ConnectOptions},
 * {@link Connection#option(SocketOption, Object)} and datagram sockets. Any option that has no constant here is given by
 * {@link #ofInt} or {@link #ofBytes}.
 *
 * <p><b>Accepted sockets.</b> On Linux an accepted TCP socket inherits most options of the listener; the constants say which are
 * not inherited. An inherited option costs one system call for the listener, another one a system call for each connection. So
 * {@link ListenOptions#acceptedOptions} are set on the listener where accepted sockets inherit them.
 *
 * <p><b>Unix sockets</b> have no use for these options but {@link #SO_SNDBUF}: all other options are refused with an
 * IllegalArgumentException, although the kernel would ignore some of them without an error. Options by number are left to the kernel.
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

    /**
     * {@code TCP_NODELAY} (tcp(7)): true sends small segments at once; false lets the kernel collect them until earlier data is
     * acknowledged (Nagle's algorithm). Default of this library: true, since a callback's writes are gathered already; the kernel's
     * default is false. Inherited.
     */
    public static final SocketOption<Boolean> TCP_NODELAY = flag("TCP_NODELAY", STREAMS, true);

    /**
     * {@code TCP_QUICKACK} (tcp(7)): true acknowledges at once, false lets acknowledgements wait for data of this side. The kernel
     * changes the mode by itself later, so the option is set again where it matters. False before connecting sends the last
     * acknowledgement of the handshake with the first data. Default: true. Not inherited, and not for a listener.
     */
    public static final SocketOption<Boolean> TCP_QUICKACK = flag(
            "TCP_QUICKACK", EnumSet.of(OptionPlace.ACCEPTED, OptionPlace.CONNECTING, OptionPlace.CONNECTED), false);

    /**
     * {@code TCP_CORK} (tcp(7)): true sends full segments only, for up to 200 ms, until it is set to false. Default: false.
     * Inherited. Bytes that a callback has written may still be gathered when this is changed: see {@link Connection#flush}.
     */
    public static final SocketOption<Boolean> TCP_CORK = flag("TCP_CORK", STREAMS, true);

    /**
     * {@code TCP_USER_TIMEOUT} (tcp(7)): time for which sent data may stay unacknowledged before the kernel ends the connection
     * with ETIMEDOUT; whole milliseconds from 0, which leaves the time to the kernel's retransmissions
     * (net.ipv4.tcp_retries2), to 2,147,483,647. Default: 0. Inherited.
     */
    public static final SocketOption<Duration> TCP_USER_TIMEOUT =
            time("TCP_USER_TIMEOUT", Unit.MILLISECONDS, 0, Integer.MAX_VALUE, STREAMS, true);

    /**
     * {@code SO_KEEPALIVE} (socket(7), tcp(7)): true has the kernel probe a peer from which nothing comes. Default: false.
     * Inherited.
     */
    public static final SocketOption<Boolean> SO_KEEPALIVE = flag("SO_KEEPALIVE", STREAMS, true);

    /**
     * {@code TCP_KEEPIDLE} (tcp(7)): time without traffic before the first probe of {@link #SO_KEEPALIVE}; whole seconds from 1 to
     * 32,767. Default: net.ipv4.tcp_keepalive_time, 2 hours. Inherited.
     */
    public static final SocketOption<Duration> TCP_KEEPIDLE =
            time("TCP_KEEPIDLE", Unit.SECONDS, 1, Short.MAX_VALUE, STREAMS, true);

    /**
     * {@code TCP_KEEPINTVL} (tcp(7)): time between probes of {@link #SO_KEEPALIVE}; whole seconds from 1 to 32,767. Default:
     * net.ipv4.tcp_keepalive_intvl, 75 s. Inherited.
     */
    public static final SocketOption<Duration> TCP_KEEPINTVL =
            time("TCP_KEEPINTVL", Unit.SECONDS, 1, Short.MAX_VALUE, STREAMS, true);

    /**
     * {@code TCP_KEEPCNT} (tcp(7)): unanswered probes of {@link #SO_KEEPALIVE} after which the connection ends; from 1 to 127.
     * Default: net.ipv4.tcp_keepalive_probes, 9. Inherited.
     */
    public static final SocketOption<Integer> TCP_KEEPCNT = number("TCP_KEEPCNT", 1, Byte.MAX_VALUE, STREAMS, true);

    /**
     * {@code TCP_DEFER_ACCEPT} (tcp(7)): the kernel hands over a connection when its first data has come, and gives up about this
     * time after the handshake; whole seconds from 0 (at once) to 2,147,483,647. The kernel rounds up to a number of
     * retransmissions, which is what is read back. Default: 0. For listeners and, to delay the last acknowledgement of the
     * handshake, before connecting.
     */
    public static final SocketOption<Duration> TCP_DEFER_ACCEPT = time(
            "TCP_DEFER_ACCEPT",
            Unit.SECONDS,
            0,
            Integer.MAX_VALUE,
            EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING),
            false);

    /**
     * {@code TCP_FASTOPEN} (tcp(7)): number of connections with data in their SYN that may wait for the end of the handshake; from 0
     * (none) to 2,147,483,647, lowered to net.core.somaxconn. Takes bit 2 of net.ipv4.tcp_fastopen. Default: 0. For listeners.
     */
    public static final SocketOption<Integer> TCP_FASTOPEN =
            number("TCP_FASTOPEN", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER), false);

    /**
     * {@code TCP_NOTSENT_LOWAT} (tcp(7), net.ipv4.tcp_notsent_lowat): bytes in the send buffer that are not sent yet, above which the
     * socket does not become writable; from 0 to 2,147,483,647; 0 stands for the system's value. Default: 0. Inherited.
     */
    public static final SocketOption<Integer> TCP_NOTSENT_LOWAT =
            number("TCP_NOTSENT_LOWAT", 0, Integer.MAX_VALUE, STREAMS, true);

    /**
     * {@code SO_RCVBUF} (socket(7)): bytes of the receive buffer; from 1 to 1,073,741,823, lowered to net.core.rmem_max. The kernel
     * doubles the value, which is what is read back, and does not adapt the buffer to the traffic any more. Default: adapted
     * between the values of net.ipv4.tcp_rmem. Inherited; set on the listener it also bounds the TCP window that is offered.
     */
    public static final SocketOption<Integer> SO_RCVBUF = number("SO_RCVBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /**
     * {@code SO_SNDBUF} (socket(7), unix(7)): bytes of the send buffer; from 1 to 1,073,741,823, lowered to net.core.wmem_max. The
     * kernel doubles the value, which is what is read back, and does not adapt the buffer any more. Default: adapted between the
     * values of net.ipv4.tcp_wmem; of a Unix socket net.core.wmem_default. Inherited, except by accepted Unix sockets.
     */
    public static final SocketOption<Integer> SO_SNDBUF = number("SO_SNDBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /**
     * {@code SO_BUSY_POLL} (socket(7)): time for which a receive polls the network device; whole microseconds from 0 to
     * 2,147,483,647. Many kernels grant a time longer than net.core.busy_read with CAP_NET_ADMIN only; Linux 6.18 grants each. Default:
     * net.core.busy_read, 0. Inherited.
     */
    public static final SocketOption<Duration> SO_BUSY_POLL =
            time("SO_BUSY_POLL", Unit.MICROSECONDS, 0, Integer.MAX_VALUE, ANYWHERE, true);

    /**
     * {@code SO_PREFER_BUSY_POLL} (Linux 5.11; Documentation/networking/napi.rst): true has the kernel leave the device's
     * interrupts off while the socket is polled. Takes CAP_NET_ADMIN. Default: false. Inherited.
     */
    public static final SocketOption<Boolean> SO_PREFER_BUSY_POLL = flag("SO_PREFER_BUSY_POLL", ANYWHERE, true);

    /**
     * {@code SO_BUSY_POLL_BUDGET} (Linux 5.11; Documentation/networking/napi.rst): packets that a busy poll processes at most, from 1 to
     * 65,535. More than the present value takes CAP_NET_ADMIN. The kernel does not tell the value. Default: 8. Inherited.
     */
    public static final SocketOption<Integer> SO_BUSY_POLL_BUDGET =
            number("SO_BUSY_POLL_BUDGET", 1, 65_535, ANYWHERE, true);

    /**
     * {@code SO_INCOMING_CPU} (socket(7)): of a listener or a datagram socket of a group with SO_REUSEPORT, the CPU whose packets
     * the socket is preferred for; from 0. Linux 4.6 to 6.1 ignore the option in such a group. Of a connection, which can only read
     * the option: the CPU that has received its last packet. Default: none, -1. Not inherited.
     */
    public static final SocketOption<Integer> SO_INCOMING_CPU = number(
            "SO_INCOMING_CPU", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER, OptionPlace.DATAGRAM), false);

    /**
     * {@code SO_PRIORITY} (socket(7)): priority of the packets for queueing disciplines; from 0 to 2,147,483,647. Above 6 takes
     * CAP_NET_ADMIN. Default: 0. Not inherited.
     */
    public static final SocketOption<Integer> SO_PRIORITY =
            number("SO_PRIORITY", 0, Integer.MAX_VALUE, ANYWHERE, false);

    /**
     * {@code IP_TOS} (ip(7)): DSCP, in the upper six bits, of IPv4 packets; from 0 to 255. The lower two bits are the kernel's
     * for TCP. An IPv6 socket takes the option for its IPv4 peers. Also changes {@link #SO_PRIORITY}. Default: 0. Inherited.
     */
    public static final SocketOption<Integer> IP_TOS = number("IP_TOS", 0, 255, ANYWHERE, true);

    /**
     * {@code IPV6_TCLASS} (ipv6(7)): traffic class of IPv6 packets; from 0 to 255. The lower two bits are the kernel's for TCP.
     * Default: 0. Inherited. For IPv6 sockets.
     */
    public static final SocketOption<Integer> IPV6_TCLASS = number("IPV6_TCLASS", 0, 255, ANYWHERE, true);

    /**
     * {@code SO_MARK} (socket(7)): mark of the packets for routing and filters; any number. Takes CAP_NET_ADMIN or, since Linux
     * 5.17, CAP_NET_RAW. Default: 0. Inherited.
     */
    public static final SocketOption<Integer> SO_MARK =
            number("SO_MARK", Integer.MIN_VALUE, Integer.MAX_VALUE, ANYWHERE, true);

    /**
     * {@code IPV6_V6ONLY} (ipv6(7)): true keeps IPv4 peers from an IPv6 socket, so that another socket can have the port for
     * IPv4. Default: net.ipv6.bindv6only, false. For IPv6 sockets, before they are bound.
     */
    public static final SocketOption<Boolean> IPV6_V6ONLY =
            flag("IPV6_V6ONLY", EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING, OptionPlace.DATAGRAM), true);

    /**
     * {@code SO_BINDTODEVICE} (socket(7)): name of the network interface that the packets must come from and go to, up to 15
     * characters; empty for any, the default. Changing a name takes CAP_NET_RAW, before Linux 5.7 setting one as well. Inherited.
     */
    public static final SocketOption<String> SO_BINDTODEVICE = text("SO_BINDTODEVICE", ANYWHERE);

    /**
     * {@code TCP_CONGESTION} (tcp(7)): name of the congestion control algorithm, up to 15 characters, of those in
     * net.ipv4.tcp_available_congestion_control; one that is not in net.ipv4.tcp_allowed_congestion_control takes CAP_NET_ADMIN.
     * Default: net.ipv4.tcp_congestion_control. Inherited.
     */
    public static final SocketOption<String> TCP_CONGESTION = text("TCP_CONGESTION", STREAMS);

    /**
     * {@code SO_BROADCAST} (socket(7)): true permits datagrams to broadcast addresses, which the kernel refuses with EACCES
     * otherwise. Default: false. For datagram sockets.
     */
    public static final SocketOption<Boolean> SO_BROADCAST = flag("SO_BROADCAST", DATAGRAMS, false);

    /**
     * {@code IP_TTL} (ip(7)): routers that a unicast IPv4 datagram may pass; from 1 to 255. Default:
     * net.ipv4.ip_default_ttl, 64. For datagram sockets; an IPv6 socket takes the option for its IPv4 peers.
     */
    public static final SocketOption<Integer> IP_TTL = number("IP_TTL", 1, HOPS_MAX, DATAGRAMS, false);

    /** {@code IPV6_UNICAST_HOPS} (ipv6(7)): as {@link #IP_TTL}, of IPv6 datagrams; -1: the default of the route. */
    public static final SocketOption<Integer> IPV6_UNICAST_HOPS =
            number("IPV6_UNICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /**
     * {@code IP_MULTICAST_TTL} (ip(7)): networks that a multicast IPv4 datagram may cross; 0: it stays on this host, 1: on the
     * local network; up to 255. Default: 1. For datagram sockets; an IPv6 socket takes the option for IPv4 groups.
     */
    public static final SocketOption<Integer> IP_MULTICAST_TTL =
            number("IP_MULTICAST_TTL", 0, HOPS_MAX, DATAGRAMS, false);

    /** {@code IPV6_MULTICAST_HOPS} (ipv6(7)): as {@link #IP_MULTICAST_TTL}, of IPv6 datagrams; -1: the default, 1. */
    public static final SocketOption<Integer> IPV6_MULTICAST_HOPS =
            number("IPV6_MULTICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /**
     * {@code IP_MULTICAST_LOOP} (ip(7)): true lets members of a group on this host get what the socket sends to the group over
     * IPv4. Default: true. For datagram sockets; an IPv6 socket takes the option for IPv4 groups.
     */
    public static final SocketOption<Boolean> IP_MULTICAST_LOOP = flag("IP_MULTICAST_LOOP", DATAGRAMS, false);

    /** {@code IPV6_MULTICAST_LOOP} (ipv6(7)): as {@link #IP_MULTICAST_LOOP}, over IPv6. */
    public static final SocketOption<Boolean> IPV6_MULTICAST_LOOP = flag("IPV6_MULTICAST_LOOP", DATAGRAMS, false);

    /**
     * {@code IP_MULTICAST_ALL} (ip(7)): false keeps datagrams of IPv4 groups from the socket that other sockets of this host have
     * joined, but not the socket itself. Default of the kernel: true; of this library's datagram sockets: false.
     */
    public static final SocketOption<Boolean> IP_MULTICAST_ALL = flag("IP_MULTICAST_ALL", DATAGRAMS, false);

    /** {@code IPV6_MULTICAST_ALL} (Linux 4.20): as {@link #IP_MULTICAST_ALL}, of IPv6 groups. */
    public static final SocketOption<Boolean> IPV6_MULTICAST_ALL = flag("IPV6_MULTICAST_ALL", DATAGRAMS, false);

    /**
     * {@code IP_MTU_DISCOVER} (ip(7)): 0: datagrams above the path MTU are fragmented; 1: by the route; 2: none is fragmented, and those
     * above the path MTU are refused with EMSGSIZE; 3 and 4: none is fragmented by routers, whatever the path MTU; 5: as 4 and
     * fragmented by this host. Default: 1. For datagram sockets; an IPv6 socket takes the option for its IPv4 peers.
     */
    public static final SocketOption<Integer> IP_MTU_DISCOVER = number("IP_MTU_DISCOVER", 0, 5, DATAGRAMS, false);

    /** {@code IPV6_MTU_DISCOVER} (ipv6(7)): as {@link #IP_MTU_DISCOVER}, over IPv6. */
    public static final SocketOption<Integer> IPV6_MTU_DISCOVER = number("IPV6_MTU_DISCOVER", 0, 5, DATAGRAMS, false);

    /** No number: the backend knows the option by its name. */
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
     * Returns an option without a constant here, whose value is an {@code int}. Set on each accepted socket, because
     * nothing is known about its inheritance; {@link ListenOptions#socketOptions} spares that.
     *
     * @param level a {@code SOL_} or {@code IPPROTO_} number of this ABI, from 0
     * @param number the option's number on that level, from 0
     */
    public static SocketOption<Integer> ofInt(int level, int number) {
        return byNumber(Unit.INT, Integer.MIN_VALUE, Integer.MAX_VALUE, level, number);
    }

    /**
     * Returns an option without a constant here, whose value is a structure of up to 4,096 bytes in the byte order of this machine:
     * otherwise like {@link #ofInt}. An array is copied when the option is set.
     */
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

    /** Name of the option in the kernel, or level and number. */
    public String name() {
        return name;
    }

    /** Returns true for an option of {@link #ofInt} or {@link #ofBytes}. */
    public boolean isByNumber() {
        return level != BY_NAME;
    }

    /** Returns the level of an option by number. For backends. */
    public int level() {
        return level;
    }

    /** Returns the number of an option by number. For backends. */
    public int number() {
        return number;
    }

    /** Returns true if accepted TCP sockets inherit the option from their listener. */
    public boolean isInherited() {
        return inherited;
    }

    /** Number of bytes that a value of the kernel has at most. For backends. */
    public int bytesMax() {
        return unit == Unit.BYTES ? BYTES_MAX : unit == Unit.TEXT ? TEXT_MAX + 1 : Integer.BYTES;
    }

    /**
     * Checks that the option has an effect on a socket.
     *
     * @param address of the socket or its peer
     * @throws IllegalArgumentException if not, with a message that names the option, the reason and the remedy
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

    /**
     * Returns the bytes that setsockopt(2) takes for a value.
     *
     * @throws IllegalArgumentException for a value out of range, with the range
     */
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

    /** Returns the number of units, which must be the whole time. */
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
