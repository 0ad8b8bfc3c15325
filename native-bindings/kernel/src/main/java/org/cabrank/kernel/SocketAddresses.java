package org.cabrank.kernel;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;

/**
 * Converts between Java's socket addresses and the kernel's {@code struct sockaddr} (sockaddr(3type)). Port and address are big-endian
 * (network byte order). Family and scope id are little-endian, which is the host's byte order on every {@link Abi}.
 *
 * <pre>
 *               0        2       4           8            24         28
 * sockaddr_in   | family | port  | address   | (zero)     |                    16 bytes
 * sockaddr_in6  | family | port  | flow info | address    | scope id |         28 bytes
 * sockaddr_un   | family | path, ends with NUL ...                             2 + path + 1 bytes
 *                        | NUL, abstract name ...                              2 + 1 + name bytes
 * </pre>
 *
 * Encoding and decoding start at index 0 of the buffer. They neither use nor change the buffer's position, limit and byte order.
 */
public final class SocketAddresses {
    /** Room for an address of any family: {@code sizeof(struct sockaddr_storage)}. */
    public static final int ROOM_BYTES = 128;

    public static final int FAMILY_OFFSET = 0;

    public static final int INET_SIZE_BYTES = 16;
    public static final int INET_PORT_OFFSET = 2;
    public static final int INET_ADDRESS_OFFSET = 4;

    public static final int INET6_SIZE_BYTES = 28;
    public static final int INET6_PORT_OFFSET = 2;
    public static final int INET6_ADDRESS_OFFSET = 8;
    public static final int INET6_SCOPE_ID_OFFSET = 24;

    public static final int UNIX_SIZE_BYTES = 110;
    public static final int UNIX_PATH_OFFSET = 2;

    private static final int INET_ADDRESS_BYTES = 4;
    private static final int INET6_ADDRESS_BYTES = 16;
    private static final int UNIX_PATH_BYTES_MAX = UNIX_SIZE_BYTES - UNIX_PATH_OFFSET;

    private SocketAddresses() {}

    /**
     * Returns the domain of a socket for this address: {@link Sockets#AF_INET}, {@link Sockets#AF_INET6} or {@link Sockets#AF_UNIX}.
     *
     * @throws IllegalArgumentException if the address is unresolved or its family is unknown
     */
    public static int domain(SocketAddress address) {
        if (address instanceof InetSocketAddress) {
            return resolved((InetSocketAddress) address) instanceof Inet4Address ? Sockets.AF_INET : Sockets.AF_INET6;
        }
        if (address instanceof UnixDomainSocketAddress || address instanceof AbstractUnixAddress) {
            return Sockets.AF_UNIX;
        }
        throw new IllegalArgumentException("not an internet or Unix domain address: " + address);
    }

    /**
     * Writes the kernel's form of an address. Returns the length of this form in bytes, at most {@link #ROOM_BYTES}.
     *
     * @throws IllegalArgumentException if the address is unresolved, its path or name is too long, or its family is unknown
     */
    public static int encode(SocketAddress address, ByteBuffer into) {
        if (domain(address) == Sockets.AF_UNIX) {
            return address instanceof AbstractUnixAddress
                    ? encodeAbstract((AbstractUnixAddress) address, into)
                    : encodePath((UnixDomainSocketAddress) address, into);
        }
        return encodeInet((InetSocketAddress) address, into);
    }

    /**
     * Reads an address of {@code length} bytes that the kernel has written.
     *
     * @return an {@link InetSocketAddress}, a {@link UnixDomainSocketAddress} or an {@link AbstractUnixAddress}. An IPv4-mapped IPv6
     *     address becomes an IPv4 address. A Unix socket without a name, or with a path that Java cannot express, has an empty path
     * @throws IllegalArgumentException if the family is not supported, or the length is too short for the family
     */
    public static SocketAddress decode(ByteBuffer from, int length) {
        atLeast(length, UNIX_PATH_OFFSET);
        int family = (from.get(FAMILY_OFFSET) & 0xff) | (from.get(FAMILY_OFFSET + 1) & 0xff) << 8;
        switch (family) {
            case Sockets.AF_INET:
                atLeast(length, INET_SIZE_BYTES);
                return new InetSocketAddress(
                        internetAddress(bytes(from, INET_ADDRESS_OFFSET, INET_ADDRESS_BYTES), 0),
                        port(from, INET_PORT_OFFSET));
            case Sockets.AF_INET6:
                atLeast(length, INET6_SIZE_BYTES);
                return new InetSocketAddress(
                        internetAddress(
                                bytes(from, INET6_ADDRESS_OFFSET, INET6_ADDRESS_BYTES),
                                hostInt(from, INET6_SCOPE_ID_OFFSET)),
                        port(from, INET6_PORT_OFFSET));
            case Sockets.AF_UNIX:
                return decodeUnix(from, Math.min(length, UNIX_SIZE_BYTES));
            default:
                throw new IllegalArgumentException("not an internet or Unix domain address: family " + family);
        }
    }

    private static InetAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        return address.getAddress();
    }

    private static int encodeInet(InetSocketAddress socketAddress, ByteBuffer into) {
        InetAddress address = resolved(socketAddress);
        if (address instanceof Inet4Address) {
            zero(into, INET_SIZE_BYTES);
            family(into, Sockets.AF_INET);
            port(into, INET_PORT_OFFSET, socketAddress.getPort());
            into.put(INET_ADDRESS_OFFSET, address.getAddress());
            return INET_SIZE_BYTES;
        }
        zero(into, INET6_SIZE_BYTES);
        family(into, Sockets.AF_INET6);
        port(into, INET6_PORT_OFFSET, socketAddress.getPort());
        into.put(INET6_ADDRESS_OFFSET, address.getAddress());
        hostInt(into, INET6_SCOPE_ID_OFFSET, ((Inet6Address) address).getScopeId());
        return INET6_SIZE_BYTES;
    }

    private static int encodePath(UnixDomainSocketAddress address, ByteBuffer into) {
        byte[] path = address.getPath().toString().getBytes(PathEncoding.CHARSET);
        family(into, Sockets.AF_UNIX);
        if (path.length == 0) {
            // The address has only a family and no name. bind(2) chooses an abstract name for such an address.
            return UNIX_PATH_OFFSET;
        }
        fits(path.length + 1, address);
        into.put(UNIX_PATH_OFFSET, path);
        into.put(UNIX_PATH_OFFSET + path.length, (byte) 0);
        return UNIX_PATH_OFFSET + path.length + 1;
    }

    private static int encodeAbstract(AbstractUnixAddress address, ByteBuffer into) {
        byte[] name = address.name().getBytes(StandardCharsets.UTF_8);
        fits(name.length + 1, address);
        family(into, Sockets.AF_UNIX);
        into.put(UNIX_PATH_OFFSET, (byte) 0);
        into.put(UNIX_PATH_OFFSET + 1, name);
        // A NUL at the end would be part of the abstract name.
        return UNIX_PATH_OFFSET + 1 + name.length;
    }

    private static SocketAddress decodeUnix(ByteBuffer from, int length) {
        int pathLength = length - UNIX_PATH_OFFSET;
        if (pathLength > 0 && from.get(UNIX_PATH_OFFSET) == 0) {
            byte[] name = bytes(from, UNIX_PATH_OFFSET + 1, pathLength - 1);
            return new AbstractUnixAddress(new String(name, StandardCharsets.UTF_8));
        }
        int end = 0;
        while (end < pathLength && from.get(UNIX_PATH_OFFSET + end) != 0) {
            end++;
        }
        try {
            return UnixDomainSocketAddress.of(new String(bytes(from, UNIX_PATH_OFFSET, end), PathEncoding.CHARSET));
        } catch (InvalidPathException inexpressible) { // a locale such as C has only ASCII letters
            return UnixDomainSocketAddress.of("");
        }
    }

    private static InetAddress internetAddress(byte[] bytes, int scopeId) {
        try {
            InetAddress address = InetAddress.getByAddress(bytes);
            // An Inet6Address with scope 0 would not equal one without a scope.
            return address instanceof Inet6Address && scopeId != 0
                    ? Inet6Address.getByAddress(null, bytes, scopeId)
                    : address;
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes is never refused", e);
        }
    }

    private static void fits(int pathBytes, SocketAddress address) {
        if (pathBytes > UNIX_PATH_BYTES_MAX) {
            throw new IllegalArgumentException("a Unix domain address takes at most " + (UNIX_PATH_BYTES_MAX - 1)
                    + " bytes of path or name, this has " + (pathBytes - 1) + ": " + address);
        }
    }

    private static void atLeast(int length, int least) {
        if (length < least) {
            throw new IllegalArgumentException("an address of " + length + " bytes is cut off: " + least + " expected");
        }
    }

    private static void zero(ByteBuffer into, int count) {
        for (int i = 0; i < count; i++) {
            into.put(i, (byte) 0);
        }
    }

    private static void family(ByteBuffer into, int family) {
        into.put(FAMILY_OFFSET, (byte) family);
        into.put(FAMILY_OFFSET + 1, (byte) (family >> 8));
    }

    private static void port(ByteBuffer into, int offset, int port) {
        into.put(offset, (byte) (port >> 8));
        into.put(offset + 1, (byte) port);
    }

    private static int port(ByteBuffer from, int offset) {
        return (from.get(offset) & 0xff) << 8 | from.get(offset + 1) & 0xff;
    }

    private static void hostInt(ByteBuffer into, int offset, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            into.put(offset + i, (byte) (value >> (i * Byte.SIZE)));
        }
    }

    private static int hostInt(ByteBuffer from, int offset) {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value |= (from.get(offset + i) & 0xff) << (i * Byte.SIZE);
        }
        return value;
    }

    private static byte[] bytes(ByteBuffer from, int offset, int length) {
        byte[] bytes = new byte[length];
        from.get(offset, bytes);
        return bytes;
    }

    /** The JDK's encoding of file names. It is looked up at the first use of a path. */
    private static final class PathEncoding {
        static final Charset CHARSET = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

        private PathEncoding() {}
    }
}
