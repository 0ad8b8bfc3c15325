package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hellos of clients that libraries of today do not even offer: old versions, and cipher suites that protect nothing. */
@Timeout(300)
class RefusedHelloTest {
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int FATAL = 2;
    private static final int SERVER_HELLO = 2;
    private static final int HANDSHAKE_FAILURE = 40;
    private static final int PROTOCOL_VERSION = 70;
    private static final int TLS_1_2 = 0x0303;
    private static final int ECDHE_ECDSA_AES_128_GCM_SHA256 = 0xc02b;

    private static final SelfSigned CERTIFICATE = TestTls.certificate("server.test");

    private static ByteBuffer hello(int version, int suite) {
        return hello(version, suite, 0);
    }

    /** Returns a hello of one version that offers one suite, the curve secp256r1, and ECDSA, with as many bytes of padding as wanted. */
    static ByteBuffer hello(int version, int suite, int paddingBytes) {
        ByteBuffer hello = ByteBuffer.allocate(200 + paddingBytes);
        hello.put((byte) HANDSHAKE).putShort((short) 0x0301).putShort((short) 0);
        hello.put((byte) 1).put((byte) 0).putShort((short) 0); // client_hello
        hello.putShort((short) version).put(new byte[32]).put((byte) 0);
        hello.putShort((short) 2).putShort((short) suite).put((byte) 1).put((byte) 0);
        int extensions = hello.position();
        hello.putShort((short) 0);
        hello.put(new byte[] {0, 10, 0, 4, 0, 2, 0, 23}); // supported_groups: secp256r1
        hello.put(new byte[] {0, 11, 0, 2, 1, 0}); // ec_point_formats: uncompressed
        hello.put(new byte[] {0, 13, 0, 6, 0, 4, 4, 3, 2, 3}); // signature_algorithms: ECDSA with SHA-256 and SHA-1
        hello.put(new byte[] {0, 23, 0, 0}); // extended_master_secret
        hello.put(new byte[] {(byte) 0xff, 1, 0, 1, 0}); // renegotiation_info
        if (paddingBytes > 0) {
            hello.putShort((short) 21).putShort((short) paddingBytes).put(new byte[paddingBytes]);
        }
        hello.putShort(extensions, (short) (hello.position() - extensions - 2));
        hello.putShort(3, (short) (hello.position() - 5));
        hello.putShort(7, (short) (hello.position() - 9));
        return hello.flip();
    }

    private static ByteBuffer answer(int version, int suite, int failures) throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        PlainRecorder recorder = new PlainRecorder();
        try (EmbeddedConnection raw = EmbeddedConnection.open(tls.handler(recorder))) {
            raw.peerSends(hello(version, suite));
            ByteBuffer answer = raw.peerReceivesBytes();
            assertEquals(failures > 0, raw.isOutputEnded());
            raw.peerEnds();
            assertNull(recorder.connection);
            assertTrue(raw.isClosed());
            assertEquals(1, tls.counters().handshakesFailed());
            return answer;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NULL-SHA, 0x0002",
        "ECDHE-ECDSA-NULL-SHA, 0xc006",
        "EXP-RC4-MD5, 0x0003",
        "EXP-DES-CBC-SHA, 0x0008",
        "RC4-SHA, 0x0005",
        "ECDHE-ECDSA-RC4-SHA, 0xc007",
        "DES-CBC-SHA, 0x0009",
        "DES-CBC3-SHA, 0x000a",
        "ECDHE-ECDSA-DES-CBC3-SHA, 0xc008",
        "AECDH-AES128-SHA, 0xc018",
        "ADH-AES128-SHA, 0x0034",
        "unknown, 0x5a5a"
    })
    void aSuiteThatProtectsNothingIsRefused(String name, String suite) throws Exception {
        ByteBuffer answer = answer(TLS_1_2, Integer.decode(suite), 1);
        assertEquals(ALERT, answer.get(0), name);
        assertEquals(FATAL, answer.get(5), name);
        assertEquals(HANDSHAKE_FAILURE, answer.get(6), name);
    }

    @ParameterizedTest
    @CsvSource({"SSL 3.0, 0x0300", "TLS 1.0, 0x0301", "TLS 1.1, 0x0302"})
    void anOldVersionIsRefused(String name, String version) throws Exception {
        ByteBuffer answer = answer(Integer.decode(version), ECDHE_ECDSA_AES_128_GCM_SHA256, 1);
        assertEquals(ALERT, answer.get(0), name);
        assertEquals(FATAL, answer.get(5), name);
        assertEquals(PROTOCOL_VERSION, answer.get(6), name);
    }

    /** Shows that the hellos of the other tests are refused for what they offer, and for nothing else. */
    @Test
    void theSameHelloWithASuiteOfTodayIsAnswered() throws Exception {
        ByteBuffer answer = answer(TLS_1_2, ECDHE_ECDSA_AES_128_GCM_SHA256, 0);
        assertEquals(HANDSHAKE, answer.get(0));
        assertEquals(SERVER_HELLO, answer.get(5));
    }
}
