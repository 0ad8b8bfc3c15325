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
 * An option of a socket, which the kernel knows by the same name: for {@link ListenOptions}, {@link ConnectOptions}, {@link
 * Connection#option(SocketOption, Object)} and datagram sockets. Sources: tcp(7) for {@code TCP_}, socket(7) for {@code SO_}, ip(7) for
 * {@code IP_}, ipv6(7) for {@code IPV6_}. Any option that has no constant here is given by {@link #ofInt} or {@link #ofBytes}. An IPv6
 * socket takes options of IPv4 for its IPv4 peers and groups.
 *
 * <p><b>Accepted sockets.</b> On Linux an accepted TCP socket inherits most options of the listener; the constants say which are not
 * inherited. An inherited option costs one system call for the listener, any other option one for each connection. So {@link
 * ListenOptions#acceptedOptions} are set on the listener where accepted sockets inherit them.
 *
 * <p><b>Unix sockets</b> take only {@link #SO_SNDBUF} and options by number, which are left to the kernel. Other options are refused with
 * an IllegalArgumentException, although the kernel would ignore some of them without an error.
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
     * True sends small segments at once; false lets the kernel collect them until earlier data is acknowledged (Nagle's algorithm). Default
     * of this library: true, since a callback's writes are gathered already; the kernel's default is false.
     */
    public static final SocketOption<Boolean> TCP_NODELAY = flag("TCP_NODELAY", STREAMS, true);

    /**
     * True acknowledges at once, false lets acknowledgements wait for data of this side. The kernel changes the mode by itself later, so
     * the option is set again where it matters. False before connecting sends the last acknowledgement of the handshake with the first
     * data. Default: true. Not inherited, and not for a listener.
     */
    public static final SocketOption<Boolean> TCP_QUICKACK = flag(
            "TCP_QUICKACK", EnumSet.of(OptionPlace.ACCEPTED, OptionPlace.CONNECTING, OptionPlace.CONNECTED), false);

    /**
     * True sends full segments only, for up to 200 ms, until it is set to false. Default: false. Bytes that a callback has written may
     * still be gathered when the option is changed: see {@link Connection#flush}.
     */
    public static final SocketOption<Boolean> TCP_CORK = flag("TCP_CORK", STREAMS, true);

    /**
     * Time for which sent data may stay unacknowledged before the kernel ends the connection with ETIMEDOUT; whole milliseconds to
     * 2,147,483,647; 0, the default, leaves the time to the kernel's retransmissions (net.ipv4.tcp_retries2).
     */
    public static final SocketOption<Duration> TCP_USER_TIMEOUT =
            time("TCP_USER_TIMEOUT", Unit.MILLISECONDS, 0, Integer.MAX_VALUE, STREAMS, true);

    /** True has the kernel probe a peer from which nothing comes. Default: false. */
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
     * The kernel hands over a connection when its first data has come, and gives up about this time after the handshake; whole seconds from
     * 0 (at once), the default, to 2,147,483,647, rounded up to a number of retransmissions, which is what is read back. For listeners and,
     * to delay the last acknowledgement of the handshake, before connecting.
     */
    public static final SocketOption<Duration> TCP_DEFER_ACCEPT = time(
            "TCP_DEFER_ACCEPT",
            Unit.SECONDS,
            0,
            Integer.MAX_VALUE,
            EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING),
            false);

    /**
     * Connections with data in their SYN that may wait for the end of the handshake; from 0 (none), the default, to 2,147,483,647, lowered
     * to net.core.somaxconn. Needs bit 2 of net.ipv4.tcp_fastopen. For listeners.
     */
    public static final SocketOption<Integer> TCP_FASTOPEN =
            number("TCP_FASTOPEN", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER), false);

    /** Unsent bytes above which the socket does not become writable; 0 to 2,147,483,647; 0, the default: net.ipv4.tcp_notsent_lowat. */
    public static final SocketOption<Integer> TCP_NOTSENT_LOWAT =
            number("TCP_NOTSENT_LOWAT", 0, Integer.MAX_VALUE, STREAMS, true);

    /**
     * Bytes of the receive buffer; from 1 to 1,073,741,823, lowered to net.core.rmem_max. The kernel doubles the value, which is what is
     * read back, and does not adapt the buffer to the traffic any more. Default: adapted between the values of net.ipv4.tcp_rmem. Set on
     * the listener it also bounds the TCP window that is offered.
     */
    public static final SocketOption<Integer> SO_RCVBUF = number("SO_RCVBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /**
     * Bytes of the send buffer; from 1 to 1,073,741,823, lowered to net.core.wmem_max. The kernel doubles the value, which is what is read
     * back, and does not adapt the buffer any more. Default: adapted between the values of net.ipv4.tcp_wmem; of a Unix socket (unix(7))
     * net.core.wmem_default. Accepted Unix sockets do not inherit it.
     */
    public static final SocketOption<Integer> SO_SNDBUF = number("SO_SNDBUF", 1, Integer.MAX_VALUE / 2, ANYWHERE, true);

    /**
     * Time for which a receive polls the network device; whole microseconds from 0 to 2,147,483,647. Many kernels grant a time longer than
     * net.core.busy_read with CAP_NET_ADMIN only; Linux 6.18 grants each. Default: net.core.busy_read, 0.
     */
    public static final SocketOption<Duration> SO_BUSY_POLL =
            time("SO_BUSY_POLL", Unit.MICROSECONDS, 0, Integer.MAX_VALUE, ANYWHERE, true);

    /** True keeps the device's interrupts off during a busy poll (Linux 5.11; napi.rst). Needs CAP_NET_ADMIN. Default: false. */
    public static final SocketOption<Boolean> SO_PREFER_BUSY_POLL = flag("SO_PREFER_BUSY_POLL", ANYWHERE, true);

    /**
     * Packets that a busy poll processes at most, from 1 to 65,535, default 8 (Linux 5.11; Documentation/networking/napi.rst). More than
     * the present value needs CAP_NET_ADMIN. The kernel does not tell the value.
     */
    public static final SocketOption<Integer> SO_BUSY_POLL_BUDGET =
            number("SO_BUSY_POLL_BUDGET", 1, 65_535, ANYWHERE, true);

    /**
     * CPU, from 0, for whose packets the kernel prefers this listener or datagram socket in its group with SO_REUSEPORT. Linux 4.6 to 6.1
     * ignore the option in such a group. A connection can only read the option: the CPU that has received its last packet. Default: none,
     * -1. Not inherited.
     */
    public static final SocketOption<Integer> SO_INCOMING_CPU = number(
            "SO_INCOMING_CPU", 0, Integer.MAX_VALUE, EnumSet.of(OptionPlace.LISTENER, OptionPlace.DATAGRAM), false);

    /** Priority of the packets for queueing disciplines; 0, the default, to 2,147,483,647. Above 6 needs CAP_NET_ADMIN. Not inherited. */
    public static final SocketOption<Integer> SO_PRIORITY =
            number("SO_PRIORITY", 0, Integer.MAX_VALUE, ANYWHERE, false);

    /**
     * DSCP, in the upper six bits, of IPv4 packets, also those of an IPv6 socket; from 0, the default, to 255. The lower two bits are the
     * kernel's for TCP. Also changes {@link #SO_PRIORITY}.
     */
    public static final SocketOption<Integer> IP_TOS = number("IP_TOS", 0, 255, ANYWHERE, true);

    /** Traffic class of IPv6 packets; from 0, the default, to 255. The lower two bits are the kernel's for TCP. For IPv6 sockets. */
    public static final SocketOption<Integer> IPV6_TCLASS = number("IPV6_TCLASS", 0, 255, ANYWHERE, true);

    /** Mark of the packets for routing and filters; any number. Needs CAP_NET_ADMIN or, since Linux 5.17, CAP_NET_RAW. Default: 0. */
    public static final SocketOption<Integer> SO_MARK =
            number("SO_MARK", Integer.MIN_VALUE, Integer.MAX_VALUE, ANYWHERE, true);

    /** True keeps IPv4 peers from an unbound IPv6 socket, so that another socket can have the port. Default: net.ipv6.bindv6only, false. */
    public static final SocketOption<Boolean> IPV6_V6ONLY =
            flag("IPV6_V6ONLY", EnumSet.of(OptionPlace.LISTENER, OptionPlace.CONNECTING, OptionPlace.DATAGRAM), true);

    /**
     * Name of the network interface that the packets must come from and go to, up to 15 characters; empty for any, the default. Changing a
     * name needs CAP_NET_RAW; before Linux 5.7 so does setting the first.
     */
    public static final SocketOption<String> SO_BINDTODEVICE = text("SO_BINDTODEVICE", ANYWHERE);

    /**
     * Name of the congestion control algorithm, up to 15 characters, of those in net.ipv4.tcp_available_congestion_control; one that is not
     * in net.ipv4.tcp_allowed_congestion_control needs CAP_NET_ADMIN. Default: net.ipv4.tcp_congestion_control.
     */
    public static final SocketOption<String> TCP_CONGESTION = text("TCP_CONGESTION", STREAMS);

    /** True permits datagrams to broadcast addresses, otherwise refused with EACCES. Default: false. For datagram sockets. */
    public static final SocketOption<Boolean> SO_BROADCAST = flag("SO_BROADCAST", DATAGRAMS, false);

    /** Routers that a unicast IPv4 datagram may pass; from 1 to 255. Default: net.ipv4.ip_default_ttl, 64. For datagram sockets. */
    public static final SocketOption<Integer> IP_TTL = number("IP_TTL", 1, HOPS_MAX, DATAGRAMS, false);

    /** As {@link #IP_TTL}, of IPv6 datagrams; -1: the default of the route. */
    public static final SocketOption<Integer> IPV6_UNICAST_HOPS =
            number("IPV6_UNICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /** Networks that a multicast IPv4 datagram may cross; 0: only this host, 1, the default: the local one; up to 255. For datagrams. */
    public static final SocketOption<Integer> IP_MULTICAST_TTL =
            number("IP_MULTICAST_TTL", 0, HOPS_MAX, DATAGRAMS, false);

    /** As {@link #IP_MULTICAST_TTL}, of IPv6 datagrams; -1: the default, 1. */
    public static final SocketOption<Integer> IPV6_MULTICAST_HOPS =
            number("IPV6_MULTICAST_HOPS", -1, HOPS_MAX, DATAGRAMS, false);

    /** True has members of an IPv4 group on this host get what the socket sends to the group. Default: true. For datagram sockets. */
    public static final SocketOption<Boolean> IP_MULTICAST_LOOP = flag("IP_MULTICAST_LOOP", DATAGRAMS, false);

    /** As {@link #IP_MULTICAST_LOOP}, over IPv6. */
    public static final SocketOption<Boolean> IPV6_MULTICAST_LOOP = flag("IPV6_MULTICAST_LOOP", DATAGRAMS, false);

    /**
     * False keeps from the socket the datagrams of IPv4 groups that only other sockets of this host have joined. Default of the kernel:
     * true; of this library's datagram sockets: false.
     */
    public static final SocketOption<Boolean> IP_MULTICAST_ALL = flag("IP_MULTICAST_ALL", DATAGRAMS, false);

    /** As {@link #IP_MULTICAST_ALL}, of IPv6 groups (Linux 4.20). */
    public static final SocketOption<Boolean> IPV6_MULTICAST_ALL = flag("IPV6_MULTICAST_ALL", DATAGRAMS, false);

    /**
     * 0: datagrams above the path MTU are fragmented; 1, the default: the route decides; 2: none is fragmented, and those above the path
     * MTU are refused with EMSGSIZE; 3 and 4: none is fragmented by routers, whatever the path MTU; 5: as 4 and fragmented by this host.
     * For datagram sockets and IPv4.
     */
    public static final SocketOption<Integer> IP_MTU_DISCOVER = number("IP_MTU_DISCOVER", 0, 5, DATAGRAMS, false);

    /** As {@link #IP_MTU_DISCOVER}, over IPv6. */
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
     * Returns an option without a constant here, whose value is an {@code int}. {@link ListenOptions#acceptedOptions} sets it on each
     * accepted socket, as its inheritance is unknown; {@link ListenOptions#socketOptions} does not.
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

    /** Name of the option in the kernel, or level and number. */
    public String name() {
        return name;
    }

    public boolean isByNumber() {
        return level != BY_NAME;
    }

    /** Returns the level of an option by number. For backends, as {@link #number} is. */
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

    /** Maximum size in bytes of the kernel's value. For backends. */
    public int bytesMax() {
        return unit == Unit.BYTES ? BYTES_MAX : unit == Unit.TEXT ? TEXT_MAX + 1 : Integer.BYTES;
    }

    /**
     * Checks that the option has an effect on a socket with this address or peer.
     *
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

    /** Returns the bytes that setsockopt(2) takes for a value; throws IllegalArgumentException, with the range, if out of range. */
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

    /** Returns the time in units. Throws if it is not a whole number of units. */
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
