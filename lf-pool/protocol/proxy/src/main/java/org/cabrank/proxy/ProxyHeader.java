package org.cabrank.proxy;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.cabrank.stream.Connection;

/**
 * A header of the PROXY protocol. A service gets it from {@link ProxiedConnection#header}. A proxy writes it before all other bytes:
 *
 * <pre>{@code
 * ProxyHeader.v2(client, listener).withAuthority("example.org").withChecksum().writeTo(connection);
 * }</pre>
 *
 * <p>Immutable. Each {@code with} method returns a changed copy.
 */
public final class ProxyHeader {
    public static final int UNIQUE_ID_BYTES_MAX = 128;

    /** PROXIED has addresses. UNKNOWN means that the proxy does not know the addresses. LOCAL is for the proxy's own connections. */
    enum Kind {
        PROXIED,
        UNKNOWN,
        LOCAL
    }

    private static final ProxyHeader V1_UNKNOWN = of(1, Kind.UNKNOWN, null, null);
    private static final ProxyHeader V2_UNKNOWN = of(2, Kind.UNKNOWN, null, null);
    private static final ProxyHeader V2_LOCAL = of(2, Kind.LOCAL, null, null);

    private final Content content;

    /** @param source null if the kind is not {@link Kind#PROXIED}. The destination is null in the same cases. */
    private record Content(
            int version,
            Kind kind,
            SocketAddress source,
            SocketAddress destination,
            boolean datagrams,
            List<ProxyTlv> tlvs,
            boolean checksum) {}

    private ProxyHeader(Content content) {
        this.content = content;
    }

    private static ProxyHeader of(int version, Kind kind, SocketAddress source, SocketAddress destination) {
        return new ProxyHeader(new Content(version, kind, source, destination, false, List.of(), false));
    }

    /** Returns a TCP4 header of version 1 if both addresses are IPv4 addresses, and otherwise a TCP6 header. */
    public static ProxyHeader v1(InetSocketAddress source, InetSocketAddress destination) {
        return of(1, Kind.PROXIED, resolved(source), resolved(destination));
    }

    /** A header of version 1 for a client whose address is unknown (UNKNOWN). */
    public static ProxyHeader v1Unknown() {
        return V1_UNKNOWN;
    }

    /** Returns a header of version 2. Both addresses must be internet addresses, or both must be Unix addresses. */
    public static ProxyHeader v2(SocketAddress source, SocketAddress destination) {
        boolean unix = source instanceof UnixDomainSocketAddress && destination instanceof UnixDomainSocketAddress;
        if (unix) {
            HeaderVersion2.requireFits((UnixDomainSocketAddress) source);
            HeaderVersion2.requireFits((UnixDomainSocketAddress) destination);
        } else if (source instanceof InetSocketAddress from && destination instanceof InetSocketAddress to) {
            resolved(from);
            resolved(to);
        } else {
            throw new IllegalArgumentException("source and destination must be two internet addresses or two Unix"
                    + " addresses, but are " + source + " and " + destination);
        }
        return of(2, Kind.PROXIED, source, destination);
    }

    /** A header of version 2 for a client whose address is unknown (UNSPEC). */
    public static ProxyHeader v2Unknown() {
        return V2_UNKNOWN;
    }

    /** A header of version 2 for a connection that the proxy makes for itself, such as a health check (LOCAL). */
    public static ProxyHeader v2Local() {
        return V2_LOCAL;
    }

    private static InetSocketAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        return address;
    }

    /** Returns a header for a client that sends datagrams, which the proxy forwards as a stream (DGRAM). Needs version 2 and addresses. */
    public ProxyHeader withDatagrams() {
        requireFields();
        return withFields(true, content.tlvs, content.checksum);
    }

    /**
     * Adds a field after the other fields. Needs version 2 and addresses, because receivers ignore the fields of other headers.
     *
     * @param tlv field of any type except {@link ProxyTlv#CRC32C}. For a checksum, use {@link #withChecksum}.
     * @throws IllegalStateException if the header has version 1 or no addresses
     */
    public ProxyHeader with(ProxyTlv tlv) {
        Objects.requireNonNull(tlv, "tlv");
        requireFields();
        if (tlv.type() == ProxyTlv.CRC32C) {
            throw new IllegalArgumentException("the checksum is calculated: call withChecksum");
        }
        try {
            HeaderVersion2.requireValid(tlv);
        } catch (ProxyProtocolException malformed) {
            throw new IllegalArgumentException(malformed.getMessage(), malformed);
        }
        List<ProxyTlv> more = new ArrayList<>(content.tlvs);
        more.add(tlv);
        return withFields(content.datagrams, more, content.checksum);
    }

    private void requireFields() {
        if (content.version == 1 || content.kind != Kind.PROXIED) {
            throw new IllegalStateException("only a header of version 2 with addresses has fields, not " + this);
        }
    }

    /** Adds the protocol that was negotiated with the client, such as h2. */
    public ProxyHeader withAlpn(String protocol) {
        return with(new ProxyTlv(ProxyTlv.ALPN, protocol));
    }

    public ProxyHeader withAuthority(String hostName) {
        return with(new ProxyTlv(ProxyTlv.AUTHORITY, hostName));
    }

    /** Adds an identifier of the client's connection, of at most {@value #UNIQUE_ID_BYTES_MAX} bytes. */
    public ProxyHeader withUniqueId(byte[] id) {
        return with(new ProxyTlv(ProxyTlv.UNIQUE_ID, id));
    }

    /** Adds a description of the client's TLS connection with the proxy. */
    public ProxyHeader withSsl(ProxySsl ssl) {
        return with(HeaderVersion2.field(ssl));
    }

    /** Adds a CRC32c of the header. */
    public ProxyHeader withChecksum() {
        requireFields();
        return withFields(content.datagrams, content.tlvs, true);
    }

    ProxyHeader withFields(boolean ofDatagrams, List<ProxyTlv> fields, boolean withChecksum) {
        return new ProxyHeader(new Content(
                content.version,
                content.kind,
                content.source,
                content.destination,
                ofDatagrams,
                List.copyOf(fields),
                withChecksum));
    }

    public int version() {
        return content.version;
    }

    Kind kind() {
        return content.kind;
    }

    /** Returns true if the proxy has made the connection for itself (LOCAL), such as a health check. */
    public boolean isLocal() {
        return content.kind == Kind.LOCAL;
    }

    /** Returns true if the client sends datagrams, which the proxy forwards as a stream (DGRAM). */
    public boolean hasDatagrams() {
        return content.datagrams;
    }

    /**
     * Returns the address of the client. Returns empty for a LOCAL header, and if the proxy does not know the client's address. Returns an
     * unnamed address for a Unix address without a file (such as an abstract address) or with a path that is not UTF-8.
     */
    public Optional<SocketAddress> source() {
        return Optional.ofNullable(content.source);
    }

    /** Returns the address to which the client has connected. The rules of {@link #source} apply. */
    public Optional<SocketAddress> destination() {
        return Optional.ofNullable(content.destination);
    }

    /** Returns the fields in their order, without padding and checksum. */
    public List<ProxyTlv> tlvs() {
        return content.tlvs;
    }

    public Optional<ProxyTlv> tlv(int type) {
        return first(content.tlvs, type);
    }

    static Optional<ProxyTlv> first(List<ProxyTlv> tlvs, int type) {
        return tlvs.stream().filter(tlv -> tlv.type() == type).findFirst();
    }

    public Optional<String> alpn() {
        return tlv(ProxyTlv.ALPN).map(ProxyTlv::text);
    }

    public Optional<String> authority() {
        return tlv(ProxyTlv.AUTHORITY).map(ProxyTlv::text);
    }

    public Optional<byte[]> uniqueId() {
        return tlv(ProxyTlv.UNIQUE_ID).map(ProxyTlv::value);
    }

    public Optional<ProxySsl> ssl() {
        return tlv(ProxyTlv.SSL).map(HeaderVersion2::ssl);
    }

    /** Returns true if the header has a checksum. A received checksum is always verified. */
    public boolean hasChecksum() {
        return content.checksum;
    }

    boolean isIpv4() {
        return content.source instanceof InetSocketAddress from
                && content.destination instanceof InetSocketAddress to
                && from.getAddress() instanceof Inet4Address
                && to.getAddress() instanceof Inet4Address;
    }

    /** @throws IllegalStateException if the addresses and fields together are longer than 65,535 bytes */
    public ByteBuffer encode() {
        return content.version == 1 ? HeaderVersion1.encode(this) : HeaderVersion2.encode(this);
    }

    /** Writes the header by {@link Connection#write}. No other bytes may be written before. */
    public void writeTo(Connection connection) {
        connection.write(encode());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProxyHeader header && content.equals(header.content);
    }

    @Override
    public int hashCode() {
        return content.hashCode();
    }

    @Override
    public String toString() {
        String addresses =
                content.kind == Kind.PROXIED ? content.source + " to " + content.destination : content.kind.toString();
        return "PROXY version " + content.version + ": " + addresses
                + (content.tlvs.isEmpty() ? "" : ", " + content.tlvs);
    }
}
