package org.cabrank.proxy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The header of version 2, in network byte order.
 *
 * <pre>
 * 0           12                  13                    14                  16
 * +-----------+-------------------+---------------------+-------------------+-----------+------------------------+
 * | signature | version | command | family | protocol   | length of the rest| addresses | (type, length, value)* |
 * +-----------+-------------------+---------------------+-------------------+-----------+------------------------+
 * </pre>
 */
final class HeaderVersion2 {
    static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    static final int FIXED_BYTES = 16;

    private static final int COMMAND_OFFSET = 12;
    private static final int FAMILY_OFFSET = 13;
    private static final int LENGTH_OFFSET = 14;
    private static final int LENGTH_MAX = 0xffff;

    private static final int VERSION = 0x20;
    private static final int LOCAL = 0;
    private static final int PROXY = 1;

    private static final int UNSPECIFIED = 0;
    private static final int INET = 1;
    private static final int INET6 = 2;
    private static final int UNIX = 3;
    private static final int STREAM = 1;
    private static final int DATAGRAM = 2;

    private static final int UNIX_BYTES = 108;

    /** Length in bytes of both addresses with their ports. The index is the family. */
    private static final int[] ADDRESSES_BYTES = {
        0, 2 * (IpLiteral.IPV4_BYTES + Short.BYTES), 2 * (IpLiteral.IPV6_BYTES + Short.BYTES), 2 * UNIX_BYTES
    };

    /** Maximum length of a header without fields. */
    static final int ADDRESSES_ROOM = FIXED_BYTES + 2 * UNIX_BYTES;

    static final int BYTES_MAX = FIXED_BYTES + LENGTH_MAX;

    private static final int TLV_PREFIX_BYTES = 3;
    private static final int SSL_PREFIX_BYTES = 5;
    private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    private HeaderVersion2() {}

    static ProxyHeader decode(ByteBuffer bytes, int bytesMax) throws ProxyProtocolException {
        int from = bytes.position();
        if (bytes.remaining() < FIXED_BYTES) {
            return null;
        }
        int total = FIXED_BYTES + (bytes.getShort(from + LENGTH_OFFSET) & LENGTH_MAX);
        if (total > bytesMax) {
            throw new ProxyProtocolException("a PROXY header of " + total + " bytes exceeds the bound of " + bytesMax
                    + " bytes; the proxy must send fewer fields, or the bound must be raised with headerMax");
        }
        int command = bytes.get(from + COMMAND_OFFSET) & 0xff;
        int family = bytes.get(from + FAMILY_OFFSET) & 0xff;
        requireKnown(command, family, total);
        if (bytes.remaining() < total) {
            return null;
        }
        byte[] header = new byte[total];
        bytes.get(from, header);
        ProxyHeader decoded = command == (VERSION | LOCAL) ? ProxyHeader.v2Local() : proxied(header, family);
        bytes.position(from + total);
        return decoded;
    }

    private static void requireKnown(int command, int family, int total) throws ProxyProtocolException {
        if ((command & 0xf0) != VERSION) {
            throw new ProxyProtocolException("the version of the binary PROXY header is not 2 but " + (command >> 4));
        }
        if (command != (VERSION | LOCAL) && command != (VERSION | PROXY)) {
            throw new ProxyProtocolException(
                    "the command of a PROXY header must be 0 (LOCAL) or 1 (PROXY), not " + (command & 0xf));
        }
        if (command == (VERSION | LOCAL)) {
            return; // a LOCAL header may have any family
        }
        if (family >> 4 > UNIX || (family & 0xf) > DATAGRAM) {
            throw new ProxyProtocolException(
                    "the family and protocol of the PROXY header, 0x" + Integer.toHexString(family) + ", are unknown");
        }
        if (total < FIXED_BYTES + ADDRESSES_BYTES[family >> 4]) {
            throw new ProxyProtocolException("a PROXY header of " + total
                    + " bytes has no room for the addresses of its family, " + (family >> 4));
        }
    }

    private static ProxyHeader proxied(byte[] header, int familyAndProtocol) throws ProxyProtocolException {
        int family = familyAndProtocol >> 4;
        int protocol = familyAndProtocol & 0xf;
        if (family == UNSPECIFIED || protocol == UNSPECIFIED) {
            return ProxyHeader.v2Unknown(); // the rest has no meaning
        }
        ByteBuffer rest = ByteBuffer.wrap(header).position(FIXED_BYTES);
        ProxyHeader addresses = family == UNIX ? unix(rest) : internet(rest, family);
        List<ProxyTlv> tlvs = tlvs(rest);
        boolean checksum = verifyChecksum(header, ADDRESSES_BYTES[family]);
        for (ProxyTlv tlv : tlvs) {
            requireValid(tlv);
        }
        tlvs.removeIf(tlv -> tlv.type() == ProxyTlv.NOOP || tlv.type() == ProxyTlv.CRC32C);
        return addresses.withFields(protocol == DATAGRAM, tlvs, checksum);
    }

    private static ProxyHeader internet(ByteBuffer rest, int family) {
        byte[] source = new byte[family == INET ? IpLiteral.IPV4_BYTES : IpLiteral.IPV6_BYTES];
        byte[] destination = new byte[source.length];
        rest.get(source).get(destination);
        int sourcePort = rest.getShort() & 0xffff;
        int destinationPort = rest.getShort() & 0xffff;
        return ProxyHeader.v2(
                new InetSocketAddress(IpLiteral.address(source), sourcePort),
                new InetSocketAddress(IpLiteral.address(destination), destinationPort));
    }

    private static ProxyHeader unix(ByteBuffer rest) {
        byte[] source = new byte[UNIX_BYTES];
        byte[] destination = new byte[UNIX_BYTES];
        rest.get(source).get(destination);
        return ProxyHeader.v2(unixAddress(source), unixAddress(destination));
    }

    private static UnixDomainSocketAddress unixAddress(byte[] path) {
        int length = 0;
        while (length < path.length && path[length] != 0) {
            length++;
        }
        try {
            // Invalid UTF-8 must not be replaced, because different paths could become equal.
            return UnixDomainSocketAddress.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(path, 0, length))
                    .toString());
        } catch (CharacterCodingException | InvalidPathException noPath) {
            return UNNAMED; // Java cannot express the path
        }
    }

    private static List<ProxyTlv> tlvs(ByteBuffer bytes) throws ProxyProtocolException {
        List<ProxyTlv> tlvs = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int length = bytes.remaining() < TLV_PREFIX_BYTES ? -1 : bytes.getShort(bytes.position() + 1) & 0xffff;
            if (length < 0 || bytes.remaining() - TLV_PREFIX_BYTES < length) {
                throw new ProxyProtocolException("a field of the PROXY header is longer than what holds the field");
            }
            int type = bytes.get() & 0xff;
            byte[] value = new byte[length];
            bytes.getShort();
            bytes.get(value);
            tlvs.add(new ProxyTlv(type, value));
        }
        return tlvs;
    }

    static void requireValid(ProxyTlv tlv) throws ProxyProtocolException {
        if (tlv.type() == ProxyTlv.UNIQUE_ID && tlv.length() > ProxyHeader.UNIQUE_ID_BYTES_MAX) {
            throw new ProxyProtocolException("the unique id of a PROXY header has at most "
                    + ProxyHeader.UNIQUE_ID_BYTES_MAX + " bytes, not " + tlv.length());
        }
        if (tlv.type() == ProxyTlv.SSL) {
            decodeSsl(tlv);
        }
    }

    private static ProxySsl decodeSsl(ProxyTlv tlv) throws ProxyProtocolException {
        ByteBuffer value = ByteBuffer.wrap(tlv.value());
        if (value.remaining() < SSL_PREFIX_BYTES) {
            throw new ProxyProtocolException(
                    "the SSL field of a PROXY header has at least " + SSL_PREFIX_BYTES + " bytes, not " + tlv.length());
        }
        return new ProxySsl(value.get() & 0xff, value.getInt(), tlvs(value));
    }

    static ProxySsl ssl(ProxyTlv valid) {
        try {
            return decodeSsl(valid);
        } catch (ProxyProtocolException malformed) {
            throw new IllegalStateException(malformed);
        }
    }

    /** Verifies the checksum, and sets it to 0 in {@code header}. Returns false if there is no checksum. The fields must be well-formed. */
    private static boolean verifyChecksum(byte[] header, int addressesBytes) throws ProxyProtocolException {
        ByteBuffer fields = ByteBuffer.wrap(header);
        int found = -1;
        for (int at = FIXED_BYTES + addressesBytes; at < header.length; ) {
            int length = fields.getShort(at + 1) & 0xffff;
            if (fields.get(at) == ProxyTlv.CRC32C) {
                if (length != Integer.BYTES || found >= 0) {
                    throw new ProxyProtocolException("a PROXY header has one checksum of " + Integer.BYTES + " bytes");
                }
                found = at + TLV_PREFIX_BYTES;
            }
            at += TLV_PREFIX_BYTES + length;
        }
        if (found < 0) {
            return false;
        }
        int expected = fields.getInt(found);
        fields.putInt(found, 0);
        if (checksum(header) != expected) {
            throw new ProxyProtocolException("the checksum of the PROXY header is wrong");
        }
        return true;
    }

    private static int checksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header);
        return (int) crc.getValue();
    }

    static ByteBuffer encode(ProxyHeader header) {
        int family = family(header);
        List<ProxyTlv> tlvs = new ArrayList<>(header.tlvs());
        if (header.hasChecksum()) {
            tlvs.add(new ProxyTlv(ProxyTlv.CRC32C, new byte[Integer.BYTES]));
        }
        int length = ADDRESSES_BYTES[family] + bytes(tlvs);
        if (length > LENGTH_MAX) {
            throw new IllegalStateException("the addresses and fields of a header have at most " + LENGTH_MAX
                    + " bytes together, not " + length);
        }
        ByteBuffer bytes = ByteBuffer.allocate(FIXED_BYTES + length);
        bytes.put(SIGNATURE).put((byte) (VERSION | (header.isLocal() ? LOCAL : PROXY)));
        int protocol = family == UNSPECIFIED ? UNSPECIFIED : header.hasDatagrams() ? DATAGRAM : STREAM;
        bytes.put((byte) (family << 4 | protocol)).putShort((short) length);
        if (family != UNSPECIFIED) {
            putAddresses(bytes, family, header);
        }
        put(bytes, tlvs);
        if (header.hasChecksum()) {
            bytes.putInt(bytes.limit() - Integer.BYTES, checksum(bytes.array()));
        }
        return bytes.flip();
    }

    private static int family(ProxyHeader header) {
        if (header.kind() != ProxyHeader.Kind.PROXIED) {
            return UNSPECIFIED;
        }
        boolean internet = header.source().orElseThrow() instanceof InetSocketAddress;
        return internet ? header.isIpv4() ? INET : INET6 : UNIX;
    }

    private static void putAddresses(ByteBuffer bytes, int family, ProxyHeader header) {
        SocketAddress source = header.source().orElseThrow();
        SocketAddress destination = header.destination().orElseThrow();
        if (family == UNIX) {
            bytes.put(Arrays.copyOf(path((UnixDomainSocketAddress) source), UNIX_BYTES));
            bytes.put(Arrays.copyOf(path((UnixDomainSocketAddress) destination), UNIX_BYTES));
            return;
        }
        InetSocketAddress from = (InetSocketAddress) source;
        InetSocketAddress to = (InetSocketAddress) destination;
        bytes.put(addressBytes(from, family)).put(addressBytes(to, family));
        bytes.putShort((short) from.getPort()).putShort((short) to.getPort());
    }

    private static byte[] addressBytes(InetSocketAddress address, int family) {
        byte[] bytes = address.getAddress().getAddress();
        return family == INET6 ? IpLiteral.mapped(bytes) : bytes;
    }

    private static byte[] path(UnixDomainSocketAddress address) {
        return address.getPath().toString().getBytes(StandardCharsets.UTF_8);
    }

    static void requireFits(UnixDomainSocketAddress address) {
        int length = path(address).length;
        if (length > UNIX_BYTES) {
            throw new IllegalArgumentException(
                    "a path has at most " + UNIX_BYTES + " bytes in a PROXY header, not " + length);
        }
    }

    private static int bytes(List<ProxyTlv> tlvs) {
        return tlvs.stream().mapToInt(tlv -> TLV_PREFIX_BYTES + tlv.length()).sum();
    }

    private static void put(ByteBuffer bytes, List<ProxyTlv> tlvs) {
        for (ProxyTlv tlv : tlvs) {
            bytes.put((byte) tlv.type()).putShort((short) tlv.length()).put(tlv.value());
        }
    }

    static ProxyTlv field(ProxySsl ssl) {
        ByteBuffer value = ByteBuffer.allocate(SSL_PREFIX_BYTES + bytes(ssl.tlvs()));
        value.put((byte) ssl.client()).putInt(ssl.verify());
        put(value, ssl.tlvs());
        return new ProxyTlv(ProxyTlv.SSL, value.array());
    }
}
