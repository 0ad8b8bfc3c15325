package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a ";
    private static final int BYTES_MAX = HeaderVersion2.BYTES_MAX;

    private static ByteBuffer hex(String digits) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
    }

    private static ByteBuffer latin1(String text) {
        return StandardCharsets.ISO_8859_1.encode(text);
    }

    private static ProxyHeader decode(ByteBuffer bytes) throws ProxyProtocolException {
        return HeaderDecoder.decode(bytes, BYTES_MAX);
    }

    private static String malformed(ByteBuffer bytes) {
        return assertThrows(ProxyProtocolException.class, () -> decode(bytes)).getMessage();
    }

    static List<ProxyHeader> samples() {
        return SampleHeaders.each();
    }

    /** Literal bytes, so that encoder and decoder do not merely agree with each other. */
    @Test
    void headersHaveTheBytesOfTheSpecification() {
        InetSocketAddress from = SampleHeaders.address("192.168.0.1", 56_324);
        InetSocketAddress to = SampleHeaders.address("192.168.0.11", 443);
        assertEquals(
                latin1("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n"),
                ProxyHeader.v1(from, to).encode());
        assertEquals(
                latin1("PROXY TCP6 2001:db8:0:0:0:0:0:33 0:0:0:0:0:ffff:c0a8:b 50002 443\r\n"),
                ProxyHeader.v1(SampleHeaders.CLIENT_6, to).encode());
        assertEquals(latin1("PROXY UNKNOWN\r\n"), ProxyHeader.v1Unknown().encode());
        assertEquals(
                hex(SIGNATURE + "21 11 000c c0a80001 c0a8000b dc04 01bb"),
                ProxyHeader.v2(from, to).encode());
        assertEquals(
                hex(SIGNATURE
                        + "21 22 0024 20010db8000000000000000000000033 00000000000000000000ffffc0a8000b c352 01bb"),
                ProxyHeader.v2(SampleHeaders.CLIENT_6, to).withDatagrams().encode());
        assertEquals(
                hex(SIGNATURE + "21 31 00d8 2f61" + "00".repeat(106) + "2f62" + "00".repeat(106)),
                ProxyHeader.v2(UnixDomainSocketAddress.of("/a"), UnixDomainSocketAddress.of("/b"))
                        .encode());
        assertEquals(hex(SIGNATURE + "20 00 0000"), ProxyHeader.v2Local().encode());
        assertEquals(hex(SIGNATURE + "21 00 0000"), ProxyHeader.v2Unknown().encode());
        assertEquals(
                hex(SIGNATURE + "21 11 001e c0a80001 c0a8000b dc04 01bb 01 0002 6832 20 000a 01 00000001 21 0002 7631"),
                ProxyHeader.v2(from, to)
                        .withAlpn("h2")
                        .withSsl(new ProxySsl(1, 1, List.of(new ProxyTlv(ProxyTlv.SSL_VERSION, "v1"))))
                        .encode());
    }

    /** Calculates the checksum bit by bit (RFC 3720, appendix B.4). */
    @Test
    void theChecksumIsThatOfTheSpecification() throws Exception {
        ByteBuffer header = hex(SIGNATURE + "21 11 0013 c0a80001 c0a8000b dc04 01bb 03 0004 00000000");
        int crc = ~0;
        for (byte b : header.array()) {
            crc ^= b & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ 0x82f63b78 : crc >>> 1;
            }
        }
        header.putInt(header.limit() - 4, ~crc);
        assertEquals(
                header,
                ProxyHeader.v2(SampleHeaders.address("192.168.0.1", 56_324), SampleHeaders.address("192.168.0.11", 443))
                        .withChecksum()
                        .encode());
        assertTrue(decode(header).hasChecksum());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void decodingAnEncodedHeaderGivesTheSameHeader(ProxyHeader header) throws Exception {
        assertRoundTrip(header);
    }

    @Test
    void anyHeaderIsDecodedAsItWasEncoded() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            assertRoundTrip(SampleHeaders.random(random));
        }
    }

    private static void assertRoundTrip(ProxyHeader header) throws ProxyProtocolException {
        ByteBuffer encoded = header.encode();
        ByteBuffer bytes = ByteBuffer.allocateDirect(3 + encoded.remaining() + 2);
        bytes.put(new byte[3]).put(encoded.duplicate()).put(new byte[2]).flip().position(3);
        ProxyHeader decoded = decode(bytes);
        assertEquals(header, decoded);
        assertEquals(header.hashCode(), decoded.hashCode());
        assertEquals(2, bytes.remaining(), "bytes behind the header");
        assertEquals(encoded, decoded.encode());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aHeaderThatIsCutIsIncompleteAtEachByte(ProxyHeader header) throws Exception {
        byte[] bytes = header.encode().array();
        int length = header.encode().remaining();
        for (int cut = 0; cut < length; cut++) {
            ByteBuffer part = ByteBuffer.wrap(bytes, 0, cut);
            assertNull(decode(part), "cut at " + cut);
            assertEquals(0, part.position());
        }
    }

    /** Whatever the bytes are, the decoder refuses them by its own exception, waits for more, or consumes a header within the bytes. */
    @Test
    void changedHeadersAreRefusedOrDecoded() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 30_000; i++) {
            ByteBuffer header = SampleHeaders.random(random).encode();
            byte[] bytes = Arrays.copyOf(header.array(), header.limit() - random.nextInt(2));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            ByteBuffer changed = ByteBuffer.wrap(bytes);
            try {
                ProxyHeader decoded = decode(changed);
                assertEquals(decoded == null, changed.position() == 0, "seed " + seed);
                if (decoded != null) {
                    decoded.ssl();
                }
            } catch (ProxyProtocolException malformed) {
                assertEquals(0, changed.position(), "seed " + seed);
                refused++;
            }
        }
        assertTrue(refused > 1_000, refused + " refused");
    }

    @Test
    void aChecksumFindsEachChangedByteOfTheAddresses() throws Exception {
        ProxyHeader header = SampleHeaders.withEachField();
        byte[] bytes = header.encode().array();
        for (int at = 16; at < 28; at++) {
            byte[] changed = bytes.clone();
            changed[at] ^= 0x10;
            String message = malformed(ByteBuffer.wrap(changed));
            assertEquals("the checksum of the PROXY header is wrong", message, "byte " + at);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2, 1.2.3.4, 1",
        "PROXY TCP4 255.255.255.255 0.0.0.0 65535 0, 255.255.255.255, 65535",
        "PROXY TCP6 ::1 :: 1 2, ::1, 1",
        "PROXY TCP6 ffff:f...f:ffff ffff:f...f:ffff 65535 65535, ffff:f...f:ffff, 65535",
        "PROXY TCP6 ::ffff:1.2.3.4 ::1 7 8, 1.2.3.4, 7",
    })
    void linesAreRead(String line, String source, int port) throws Exception {
        String longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        ProxyHeader header = decode(latin1(line.replace("ffff:f...f:ffff", longest) + "\r\n"));
        assertEquals(
                Optional.of(SampleHeaders.address(source.replace("ffff:f...f:ffff", longest), port)), header.source());
        assertEquals(1, header.version());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 \r2\r\n",
                "PROXY  TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 65536\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 x\r\n",
                "PROXY TCP4 1.2.3.4 ::1 1 2\r\n",
                "PROXY TCP4 01.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP4 example.org 5.6.7.8 1 2\r\n",
                "PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY TCP6 fe80::1%lo ::1 1 2\r\n",
                "PROXY TCP4\t1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXY UNKNOWNS\r\n",
                "PROXY \r\n",
                "PROXY TCP4\r\n",
                "proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
                "PROXYTCP4",
                "GET / HTTP/1.1\r\n",
                "\r\n\r\nx",
            })
    void malformedLinesAreRefused(String line) {
        String message = malformed(latin1(line));
        assertFalse(message.contains("1.2.3.4"), "no bytes of the peer in a message");
    }

    @Test
    void aLineHas107BytesAtMost() throws Exception {
        String longest = "PROXY UNKNOWN " + "x".repeat(107 - 16) + "\r\n";
        assertEquals(107, longest.length());
        assertEquals(ProxyHeader.v1Unknown(), decode(latin1(longest)));
        String line = "PROXY UNKNOWN " + "x".repeat(107 - 15);
        assertNull(decode(latin1(line.substring(0, 105))));
        assertEquals("the line of the PROXY header is longer than 107 bytes", malformed(latin1(line)));
        for (String rest : List.of("x", "xx", "\r\n", "x\r\n", "x".repeat(500))) {
            assertEquals("the line of the PROXY header is longer than 107 bytes", malformed(latin1(line + rest)), rest);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "11 11 000c, version",
        "31 11 000c, version",
        "22 11 000c, command",
        "2f 11 000c, command",
        "21 41 000c, family and protocol",
        "21 13 000c, family and protocol",
        "21 11 000b, no room for the addresses",
        "21 21 0023, no room for the addresses",
        "21 31 00d7, no room for the addresses",
    })
    void malformedPrefixesAreRefusedBeforeTheRestHasCome(String prefix, String reason) {
        String message = malformed(hex(SIGNATURE + prefix));
        assertTrue(message.contains(reason), message);
    }

    @ParameterizedTest
    @CsvSource({
        "000d, 01, longer than what holds",
        "000e, 01 00, longer than what holds",
        "000f, 01 0001, longer than what holds",
        "0011, 01 0003 6161, longer than what holds",
        "000f, 03 0000, checksum of 4 bytes",
        "001a, 03 0004 00000000 03 0004 00000000, checksum of 4 bytes",
        "0013, 03 0004 00000000, checksum of the PROXY header is wrong",
        "0013, 20 0004 00000000, at least 5 bytes",
        "0015, 20 0006 00 00000000 21, longer than what holds",
        "0018, 20 0009 00 00000000 21 0002 61, longer than what holds",
    })
    void malformedFieldsAreRefused(String length, String fields, String reason) {
        String message = malformed(hex(SIGNATURE + "21 11" + length + "01020304 05060708 0001 0002" + fields));
        assertTrue(message.contains(reason), message);
    }

    @Test
    void aUniqueIdIsBounded() {
        String message =
                malformed(hex(SIGNATURE + "21 11 0090 01020304 05060708 0001 0002 05 0081" + "00".repeat(129)));
        assertTrue(message.contains("at most 128 bytes, not 129"), message);
        assertThrows(
                IllegalArgumentException.class,
                () -> SampleHeaders.withEachField().withUniqueId(new byte[129]));
    }

    @Test
    void theLengthIsBoundedBeforeTheRestHasCome() throws Exception {
        ByteBuffer prefix = hex(SIGNATURE + "21 11 0100");
        assertNull(HeaderDecoder.decode(prefix, 272));
        String message = assertThrows(ProxyProtocolException.class, () -> HeaderDecoder.decode(prefix, 271))
                .getMessage();
        assertTrue(message.startsWith("a PROXY header of 272 bytes exceeds the bound of 271 bytes"), message);
        ByteBuffer local = hex(SIGNATURE + "20 00 0100");
        assertThrows(ProxyProtocolException.class, () -> HeaderDecoder.decode(local, 271));
    }

    /** The specification has receivers ignore the rest of such headers. */
    @ParameterizedTest
    @CsvSource({
        "20 11 0003 ffffff",
        "20 ff 0003 ffffff",
        "21 00 0003 ffffff",
        "21 01 0002 ffff",
        "21 10 000c 000000000000000000000000"
    })
    void localAndUnspecifiedHeadersHaveNoAddresses(String rest) throws Exception {
        ByteBuffer bytes = hex(SIGNATURE + rest);
        ProxyHeader header = decode(bytes);
        assertEquals(Optional.empty(), header.source());
        assertEquals(Optional.empty(), header.destination());
        assertEquals(rest.startsWith("20"), header.isLocal());
        assertFalse(bytes.hasRemaining());
    }

    @Test
    void fieldsAreExposed() throws Exception {
        ProxyHeader header = decode(SampleHeaders.withEachField().encode());
        assertEquals(Optional.of(SampleHeaders.CLIENT), header.source());
        assertEquals(Optional.of(SampleHeaders.LISTENER), header.destination());
        assertEquals(Optional.of("h2"), header.alpn());
        assertEquals(Optional.of("example.org"), header.authority());
        assertArrayEquals(new byte[] {1, 2, 3}, header.uniqueId().orElseThrow());
        ProxySsl ssl = header.ssl().orElseThrow();
        assertTrue(ssl.isTls());
        assertTrue(ssl.hasVerifiedCertificate());
        assertEquals(Optional.of("TLSv1.3"), ssl.version());
        assertEquals(Optional.of("client"), ssl.commonName());
        assertEquals(Optional.of("TLS_AES_128_GCM_SHA256"), ssl.cipher());
        assertEquals(Optional.of("SHA256"), ssl.signatureAlgorithm());
        assertEquals(Optional.of("RSA2048"), ssl.keyAlgorithm());
        assertEquals(Optional.of("blue"), header.tlv(ProxyTlv.NETWORK_NAMESPACE).map(ProxyTlv::text));
        assertEquals(Optional.of(0), header.tlv(0xea).map(ProxyTlv::length));
        assertEquals(Optional.empty(), header.tlv(ProxyTlv.CRC32C));
        assertFalse(header.toString().contains("example.org"), "values may be secret");
    }

    @Test
    void aCertificateIsVerifiedOnlyIfItWasPresented() {
        assertFalse(new ProxySsl(ProxySsl.TLS, 0, List.of()).hasVerifiedCertificate());
        assertFalse(new ProxySsl(ProxySsl.CERTIFICATE_OF_SESSION, 1, List.of()).hasVerifiedCertificate());
        assertTrue(new ProxySsl(ProxySsl.CERTIFICATE_OF_SESSION, 0, List.of()).hasVerifiedCertificate());
    }

    @Test
    void paddingIsSkipped() throws Exception {
        ProxyHeader header = decode(hex(SIGNATURE + "21 11 0014 01020304 05060708 0001 0002 04 0002 ffff 01 0000"));
        assertEquals(List.of(new ProxyTlv(ProxyTlv.ALPN, "")), header.tlvs());
    }

    /** An abstract name has no file; its first byte is 0. */
    @Test
    void anAbstractUnixAddressHasNoName() throws Exception {
        ProxyHeader header = decode(hex(SIGNATURE + "21 31 00d8 0061" + "00".repeat(106) + "2f".repeat(108)));
        assertEquals(Optional.of(UnixDomainSocketAddress.of("")), header.source());
        assertEquals(Optional.of(UnixDomainSocketAddress.of("/".repeat(108))), header.destination());
    }

    @Test
    void aPathThatIsNoUtf8HasNoName() throws Exception {
        ProxyHeader header =
                decode(hex(SIGNATURE + "21 31 00d8 2fff" + "61".repeat(106) + "2fc3a4" + "00".repeat(105)));
        assertEquals(Optional.of(UnixDomainSocketAddress.of("")), header.source());
    }

    @Test
    void headersThatCannotBeAreRefused() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("example.org", 1);
        UnixDomainSocketAddress path = UnixDomainSocketAddress.of("/a");
        assertThrows(IllegalArgumentException.class, () -> ProxyHeader.v1(unresolved, SampleHeaders.CLIENT));
        assertThrows(IllegalArgumentException.class, () -> ProxyHeader.v2(SampleHeaders.CLIENT, unresolved));
        assertThrows(IllegalArgumentException.class, () -> ProxyHeader.v2(SampleHeaders.CLIENT, path));
        assertThrows(IllegalArgumentException.class, () -> ProxyHeader.v2(path, null));
        assertThrows(
                IllegalArgumentException.class,
                () -> ProxyHeader.v2(path, UnixDomainSocketAddress.of("/" + "a".repeat(108))));
        ProxyHeader line = ProxyHeader.v1(SampleHeaders.CLIENT, SampleHeaders.LISTENER);
        assertThrows(IllegalStateException.class, () -> line.withAlpn("h2"));
        assertThrows(IllegalStateException.class, line::withChecksum);
        assertThrows(IllegalStateException.class, () -> ProxyHeader.v2Local().withDatagrams());
        assertThrows(IllegalStateException.class, () -> ProxyHeader.v2Unknown().withAlpn("h2"));
        ProxyHeader header = ProxyHeader.v2(SampleHeaders.CLIENT, SampleHeaders.LISTENER);
        assertThrows(IllegalArgumentException.class, () -> header.with(new ProxyTlv(ProxyTlv.CRC32C, new byte[4])));
        assertThrows(IllegalArgumentException.class, () -> header.with(new ProxyTlv(ProxyTlv.SSL, new byte[4])));
        assertThrows(IllegalArgumentException.class, () -> new ProxyTlv(256, ""));
        assertThrows(IllegalArgumentException.class, () -> new ProxyTlv(0xe0, new byte[65_536]));
        assertThrows(IllegalArgumentException.class, () -> new ProxySsl(256, 0, List.of()));
        ProxyHeader tooLong = header.with(new ProxyTlv(0xe0, new byte[65_535 - 12 - 2]));
        assertThrows(IllegalStateException.class, tooLong::encode);
    }
}
