package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.pem.PemFiles;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cabrank serve} over TLS as its user starts it, with other programs' clients. */
@NewestJdk
@Timeout(300)
final class TlsProcessTest {
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final int ECHO_BYTES = 200_000;

    @TempDir
    private Path directory;

    @Test
    void aSelfSignedServerEchoesToClientsThatTrustItsCertificate() throws Exception {
        Path written = directory.resolve("written.pem");
        try (ServeProcess server =
                ServeProcess.start(null, "echo", "--listen", ANY_PORT, "--tls", "self-signed:" + written)) {
            int port = server.address().port();
            assertTrue(server.readyLine().contains("(echo over TLS on "), server.readyLine());
            X509Certificate certificate = read(written);
            String described = server.nextLine();
            assertTrue(described.contains("SHA-256 " + fingerprint(certificate) + ", written to "), described);
            SSLContext trusting = SelfSigned.trusting(certificate);
            for (String host : new String[] {"localhost", "127.0.0.1"}) {
                try (SSLSocket client = connected(trusting, host, port)) {
                    assertEchoes(client);
                }
            }
            assertRefusesPlainText(port);
            server.terminate();
            assertEquals(0, server.exitStatus());
            assertTrue(server.totals().contains("TLS handshakes completed 2, failed 1,"), server.totals());
            assertEquals("", server.errors());
        }
    }

    @InSoak
    @Test
    void proxyHeaderStandsBeforeTls() throws Exception {
        Path written = directory.resolve("written.pem");
        try (ServeProcess server = ServeProcess.start(
                null, "echo", "--listen", ANY_PORT, "--tls", "self-signed:" + written, "--proxy-protocol")) {
            int port = server.address().port();
            try (Socket proxy = new Socket(InetAddress.getLoopbackAddress(), port)) {
                proxy.getOutputStream()
                        .write("PROXY TCP4 192.0.2.7 192.0.2.1 4321 443\r\n".getBytes(StandardCharsets.US_ASCII));
                SSLContext trusting = SelfSigned.trusting(read(written));
                try (SSLSocket client =
                        (SSLSocket) trusting.getSocketFactory().createSocket(proxy, "localhost", port, true)) {
                    assertEchoes(client);
                }
            }
            server.terminate();
            assertEquals(0, server.exitStatus());
            assertTrue(server.totals().contains("TLS handshakes completed 1, failed 0,"), server.totals());
            assertTrue(server.totals().contains(", PROXY headers 1, malformed 0,"), server.totals());
        }
    }

    @InSoak
    @Test
    void peerThatIsNoTrustedProxyIsClosed() throws Exception {
        try (ServeProcess server =
                ServeProcess.start(null, "echo", "--listen", ANY_PORT, "--proxy-protocol", "10.0.0.0/8")) {
            try (Socket peer = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().port())) {
                assertEquals(-1, endOf(peer));
            }
            server.terminate();
            assertEquals(0, server.exitStatus());
            assertTrue(server.totals().endsWith(", PROXY headers 0, malformed 0, late 0, of untrusted peers 1"));
        }
    }

    /** Returns -1 when the peer's connection has ended, or was reset. */
    private static int endOf(Socket peer) {
        try {
            return peer.getInputStream().read();
        } catch (IOException reset) {
            return -1;
        }
    }

    @Test
    void httpIsNegotiatedByAlpnWithACertificateFromFiles() throws Exception {
        PemFiles pem = PemFiles.valid(directory, "server", "localhost", "127.0.0.1");
        try (ServeProcess server = ServeProcess.start(
                null,
                "http",
                "--listen",
                ANY_PORT,
                "--tls-cert",
                pem.certificate().toString(),
                "--tls-key",
                pem.key().toString())) {
            int port = server.address().port();
            assertTrue(server.readyLine().contains("(http over TLS on "), server.readyLine());
            try (SSLSocket client = connected(pem.trusting(), "localhost", port, "h2", "http/1.1")) {
                client.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
                assertTrue(answer.endsWith("\r\n\r\nHello, World!"), answer);
                assertEquals("http/1.1", client.getApplicationProtocol());
            }
            assertThrows(
                    IOException.class,
                    () -> connected(pem.trusting(), "localhost", port, "h2").close());
            assertEquals(
                    "Hello, World!", curl("--cacert", pem.certificate().toString(), "https://localhost:" + port + "/"));
        }
    }

    @Test
    void clientsNeedACertificateOfTheirAuthority() throws Exception {
        PemFiles pem = PemFiles.valid(directory, "server", "localhost");
        PemFiles known = PemFiles.valid(directory, "known", "client");
        PemFiles stranger = PemFiles.valid(directory, "stranger", "client");
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--tls-cert",
                pem.certificate().toString(),
                "--tls-key",
                pem.key().toString(),
                "--tls-client-ca",
                known.certificate().toString())) {
            int port = server.address().port();
            assertTrue(server.readyLine().contains("(echo over TLS with client certificates on "), server.readyLine());
            for (SSLContext refused : new SSLContext[] {pem.trusting(), stranger.context(pem)}) {
                // In TLS 1.3 a client learns with its first read that the server refuses its certificate.
                assertThrows(IOException.class, () -> {
                    try (SSLSocket client = connected(refused, "localhost", port)) {
                        assertEchoes(client);
                    }
                });
            }
            try (SSLSocket client = connected(known.context(pem), "localhost", port)) {
                assertEchoes(client);
            }
            server.terminate();
            assertEquals(0, server.exitStatus());
            assertTrue(server.totals().contains("TLS handshakes completed 1, failed 2,"), server.totals());
        }
    }

    /** Closes the connection at the end of its block, whose close_notify ends the connection in order. */
    private static SSLSocket connected(SSLContext context, String host, int port, String... protocols)
            throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            SSLSocket client = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
            SSLParameters parameters = client.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(protocols);
            client.setSSLParameters(parameters);
            client.startHandshake();
            return client;
        } catch (IOException refused) {
            plain.close();
            throw refused;
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        byte[] sent = new byte[ECHO_BYTES];
        new Random(1).nextBytes(sent);
        int half = ECHO_BYTES / 2; // fits into the buffers of the sockets, so that writing does not wait for reading
        for (int from = 0; from < ECHO_BYTES; from += half) {
            client.getOutputStream().write(sent, from, half);
            byte[] expected = new byte[half];
            System.arraycopy(sent, from, expected, 0, half);
            assertArrayEquals(expected, client.getInputStream().readNBytes(half));
        }
    }

    private static void assertRefusesPlainText(int port) throws IOException {
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
            plain.getOutputStream().write("hello\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(!answer.contains("hello"), answer);
        }
    }

    private static X509Certificate read(Path file) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static String fingerprint(X509Certificate certificate) throws Exception {
        return HexFormat.ofDelimiter(":")
                .withUpperCase()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    }

    private static String curl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--noproxy", "*", "--max-time", "60"));
        command.addAll(List.of(arguments));
        Process curl;
        try {
            curl = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            assumeTrue(false, "curl is not installed");
            throw missing;
        }
        String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, curl.waitFor(), said);
        return said;
    }
}
