package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SocketAddressesTest {
    private final ByteBuffer memory = ByteBuffer.allocate(SocketAddresses.ROOM_BYTES);

    @Test
    void ipv4AddressIsFamilyPortAddressAndZeros() {
        dirty();
        int length = SocketAddresses.encode(new InetSocketAddress("192.0.2.7", 0x1f90), memory);
        assertEquals("02001f90c00002070000000000000000", hex(length));
    }

    @Test
    void ipv6AddressIsFamilyPortFlowAddressAndScope() throws UnknownHostException {
        dirty();
        byte[] linkLocal = HexFormat.of().parseHex("fe800000000000000000000000000001");
        InetAddress scoped = Inet6Address.getByAddress(null, linkLocal, 0x0102);
        int length = SocketAddresses.encode(new InetSocketAddress(scoped, 443), memory);
        assertEquals("0a0001bb00000000fe80000000000000000000000000000102010000", hex(length));
    }

    @Test
    void pathEndsWithNul() {
        dirty();
        int length = SocketAddresses.encode(UnixDomainSocketAddress.of("/a"), memory);
        assertEquals("01002f6100", hex(length));
    }

    @Test
    void abstractNameBeginsWithNulAndHasNoOtherEnd() {
        dirty();
        int length = SocketAddresses.encode(new AbstractUnixAddress("a"), memory);
        assertEquals("01000061", hex(length));
    }

    @Test
    void decodingAnEncodedAddressGivesTheSameAddress() throws UnknownHostException {
        byte[] linkLocal = HexFormat.of().parseHex("fe800000000000000000000000000001");
        for (SocketAddress address : new SocketAddress[] {
            new InetSocketAddress("127.0.0.1", 0),
            new InetSocketAddress("255.254.253.252", 65_535),
            new InetSocketAddress("::1", 80),
            new InetSocketAddress(Inet6Address.getByAddress(null, linkLocal, 3), 80),
            UnixDomainSocketAddress.of("relative/path"),
            UnixDomainSocketAddress.of(""),
            UnixDomainSocketAddress.of("x".repeat(107)),
            new AbstractUnixAddress("y".repeat(107)),
            new AbstractUnixAddress("gr\u00fc\u00dfe"),
        }) {
            dirty();
            int length = SocketAddresses.encode(address, memory);
            assertEquals(address, SocketAddresses.decode(memory, length));
        }
    }

    @Test
    void ipv4InsideIpv6ComesOutAsIpv4() {
        byte[] mapped = HexFormat.of().parseHex("0a0001bb0000000000000000000000000000ffffc000020700000000");
        assertEquals(
                new InetSocketAddress("192.0.2.7", 443),
                SocketAddresses.decode(ByteBuffer.wrap(mapped), mapped.length));
    }

    @Test
    void pathWithoutNulEndsAtTheLength() {
        byte[] bytes = {1, 0, '/', 'a', 'b'};
        assertEquals(UnixDomainSocketAddress.of("/a"), SocketAddresses.decode(ByteBuffer.wrap(bytes), 4));
    }

    /** Without a locale, as in many containers, the JDK's paths have only ASCII letters. The peer may have others. */
    @Test
    void pathThatJavaCannotExpressIsEmpty() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                directory(SocketAddresses.class) + ":" + directory(DecodingProcess.class),
                DecodingProcess.class.getName(),
                "01002f67c3bc00"); // "/g" and a u with dots
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectErrorStream(true).start();
        String decoded = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("decoded ''\n", decoded);
    }

    private static Path directory(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void domainFollowsTheAddress() {
        assertEquals(Sockets.AF_INET, SocketAddresses.domain(new InetSocketAddress("127.0.0.1", 1)));
        assertEquals(Sockets.AF_INET6, SocketAddresses.domain(new InetSocketAddress("::1", 1)));
        assertEquals(Sockets.AF_UNIX, SocketAddresses.domain(UnixDomainSocketAddress.of("/a")));
        assertEquals(Sockets.AF_UNIX, SocketAddresses.domain(new AbstractUnixAddress("a")));
    }

    @Test
    void positionAndOrderOfTheBufferStayAsTheyWere() {
        memory.position(3).limit(128);
        SocketAddresses.encode(new InetSocketAddress("::1", 80), memory);
        SocketAddresses.decode(memory, SocketAddresses.INET6_SIZE_BYTES);
        assertEquals(3, memory.position());
        assertEquals(128, memory.limit());
    }

    @Test
    void addressThatCannotBeEncodedIsRefusedWithAMessage() {
        assertRefused("unresolved", InetSocketAddress.createUnresolved("nowhere.invalid", 1));
        assertRefused("at most 107 bytes", UnixDomainSocketAddress.of("x".repeat(108)));
        assertRefused("at most 107 bytes", new AbstractUnixAddress("x".repeat(108)));
        assertRefused("not an internet or Unix domain address", new SocketAddress() {
            private static final long serialVersionUID = 1L;
        });
    }

    @Test
    void bytesThatAreNoAddressAreRefusedWithAMessage() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SocketAddresses.decode(memory, 1))
                .getMessage()
                .contains("cut off"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SocketAddresses.decode(memory, 16))
                .getMessage()
                .contains("family 0"));
        memory.put(0, (byte) Sockets.AF_INET);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SocketAddresses.decode(memory, 15))
                .getMessage()
                .contains("16 expected"));
    }

    @Test
    void abstractAddressPrintsAsToolsPrintIt() {
        assertEquals("@name", new AbstractUnixAddress("name").toString());
        assertEquals(new AbstractUnixAddress("name").hashCode(), new AbstractUnixAddress("name").hashCode());
    }

    private void assertRefused(String words, SocketAddress address) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> SocketAddresses.encode(address, memory));
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
    }

    /** Fills the memory with what an encoding must overwrite. */
    private void dirty() {
        Arrays.fill(memory.array(), (byte) 0xee);
    }

    private String hex(int length) {
        return HexFormat.of().formatHex(memory.array(), 0, length);
    }
}
