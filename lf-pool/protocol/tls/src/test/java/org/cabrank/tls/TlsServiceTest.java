package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.example.TlsEchoService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README, connections of a reactor, PEM files, and the clients that people use. */
@Timeout(300)
class TlsServiceTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("localhost", "127.0.0.1");

    @TempDir
    Path directory;

    static String pem(X509Certificate certificate) throws Exception {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(certificate.getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    static String pem(PrivateKey key) {
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key.getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** Returns the output of a command that is given its input, or skips the test where there is no such command. */
    private static String run(String input, String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            assumeTrue(false, command[0] + " is not installed");
            throw missing;
        }
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), "the command ends");
        return output;
    }

    @Test
    void aReactorConnectsOverTls() throws Exception {
        try (StreamServer server = TlsEchoService.start(0, CERTIFICATE);
                StreamReactor reactor = StreamReactor.builder().start()) {
            Tls tls = Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", server.port())
                    .applicationProtocols("echo")
                    .build();
            CompletableFuture<String> answer = new CompletableFuture<>();
            TlsConnection connection = tls.connect(
                            reactor,
                            server.localAddress(),
                            ConnectOptions.DEFAULT,
                            (own, data) -> answer.complete(
                                    StandardCharsets.UTF_8.decode(data).toString()))
                    .get(120, TimeUnit.SECONDS);
            assertEquals("echo", connection.applicationProtocol());
            connection.write(StandardCharsets.UTF_8.encode("over TLS"));
            assertEquals("over TLS", answer.get(120, TimeUnit.SECONDS));
        }
    }

    @Test
    void aConnectFailsWithTheReasonOfTheHandshake() throws Exception {
        try (StreamServer server = TlsEchoService.start(0, CERTIFICATE);
                StreamReactor reactor = StreamReactor.builder().start()) {
            Tls tls = Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "elsewhere.test", server.port())
                    .build();
            ExecutionException refused = assertThrows(
                    ExecutionException.class,
                    () -> tls.connect(reactor, server.localAddress(), ConnectOptions.DEFAULT, (own, data) -> {})
                            .get(120, TimeUnit.SECONDS));
            assertInstanceOf(SSLHandshakeException.class, refused.getCause());
        }
        try (StreamReactor reactor = StreamReactor.builder().start()) {
            Tls tls = Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", 1)
                    .build();
            assertThrows(
                    ExecutionException.class,
                    () -> tls.connect(
                                    reactor,
                                    new java.net.InetSocketAddress("127.0.0.1", 1),
                                    ConnectOptions.DEFAULT,
                                    (own, data) -> {})
                            .get(120, TimeUnit.SECONDS));
        }
    }

    @Test
    void aConnectThatIsCancelledEndsAHandshakeThatTheServerDoesNotAnswer() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                StreamReactor reactor = StreamReactor.builder().start()) {
            CompletableFuture<TlsConnection> connecting = Tls.client(
                            SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", listening.getLocalPort())
                    .handshakeTimeout(Duration.ofMinutes(10))
                    .build()
                    .connect(reactor, listening.getLocalSocketAddress(), ConnectOptions.DEFAULT, (own, data) -> {});
            try (Socket silent = listening.accept()) {
                silent.setSoTimeout(120_000);
                silent.getInputStream().read(); // the handshake is under way
                connecting.cancel(false);
                assertThrows(
                        SocketException.class, () -> silent.getInputStream().readAllBytes());
            }
            Await.until("no connection is left", () -> reactor.connections().isEmpty());
        }
    }

    /** Answers each line of input. */
    private static final class Lines implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) {
            String text = StandardCharsets.UTF_8.decode(data).toString();
            if (text.startsWith("GET ")) {
                String body = "over " + ((TlsConnection) connection).session().getProtocol() + "\n";
                connection.write(
                        StandardCharsets.UTF_8.encode("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                                + body.length() + "\r\n\r\n" + body));
                connection.close();
            } else {
                connection.write(StandardCharsets.UTF_8.encode("echo " + text));
            }
        }
    }

    private StreamServer serve(Tls tls) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .threadsPerShard(2)
                .handler(tls.handlers(Lines::new))
                .start();
    }

    @Test
    void opensslAndCurlAreServedFromPemFiles() throws Exception {
        Path certificate = file("cert.pem", pem(CERTIFICATE.certificate()));
        Path key = file("key.pem", pem(CERTIFICATE.key()));
        Tls tls = Tls.server(Pem.context(certificate, key, null)).build();
        try (StreamServer server = serve(tls)) {
            String address = "127.0.0.1:" + server.port();
            for (String version : List.of("-tls1_2", "-tls1_3")) {
                String output = run(
                        "GET /\n",
                        "openssl",
                        "s_client",
                        "-connect",
                        address,
                        "-CAfile",
                        certificate.toString(),
                        "-verify_return_error",
                        "-servername",
                        "localhost",
                        "-ign_eof",
                        version);
                assertTrue(output.contains("over TLSv1." + version.charAt(6)), output);
                assertTrue(output.contains("Verify return code: 0 (ok)"), output);
            }
            String refused = run("", "openssl", "s_client", "-connect", address, "-tls1_1");
            assertFalse(refused.contains("Cipher is ECDHE"), refused);
            String page = run("", "curl", "-sS", "--cacert", certificate.toString(), "https://" + address + "/");
            assertEquals("over TLSv1.3\n", page);
        }
        assertTrue(tls.counters().handshakesCompleted() >= 3);
        assertEquals(1, tls.counters().handshakesFailed(), "TLS 1.1");
    }

    @Test
    void pemFilesThatDoNotWorkAreNamedWithTheRemedy() throws Exception {
        Path certificate = file("cert.pem", pem(CERTIFICATE.certificate()));
        Path key = file("key.pem", pem(CERTIFICATE.key()));
        SelfSigned other = TestTls.certificate("other.test");
        Instant now = Instant.now();
        SelfSigned expired = SelfSigned.of(now.minusSeconds(7200), now.minusSeconds(3600), "late.test");
        assertRefused("there is no file", directory.resolve("missing.pem"), key);
        assertRefused("there is no file", certificate, directory.resolve("missing.pem"));
        assertRefused("is no PEM file of certificates", file("text.pem", "hello"), key);
        assertRefused("has no unencrypted private key", certificate, file("text.pem", "hello"));
        assertRefused(
                "openssl pkcs8 -topk8",
                certificate,
                file("old.pem", "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n"));
        assertRefused(
                "is of none of the algorithms",
                certificate,
                file(
                        "odd.pem",
                        pem(CERTIFICATE.key()).replaceAll("(?s)KEY-----\n.*\n-----END", "KEY-----\nAAAA\n-----END")));
        assertRefused("does not belong to the certificate", certificate, file("other.pem", pem(other.key())));
        assertRefused(
                "renew it", file("late.pem", pem(expired.certificate())), file("late-key.pem", pem(expired.key())));
    }

    private static void assertRefused(String reason, Path certificate, Path key) {
        IOException refused = assertThrows(IOException.class, () -> Pem.context(certificate, key, null));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    /** Connections that stand are answered while more handshakes are under way than the pool has threads. */
    @Test
    void standingConnectionsAreServedDuringAStormOfHandshakes() throws Exception {
        Tls tls = Tls.server(CERTIFICATE.context()).build();
        try (StreamServer server = serve(tls);
                StreamReactor reactor = StreamReactor.builder().start()) {
            Tls client = Tls.client(SelfSigned.trusting(CERTIFICATE.certificate()), "localhost", server.port())
                    .build();
            List<CompletableFuture<TlsConnection>> storm = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                storm.add(client.connect(reactor, server.localAddress(), ConnectOptions.DEFAULT, (own, data) -> {}));
            }
            for (CompletableFuture<TlsConnection> each : storm) {
                each.get(120, TimeUnit.SECONDS);
            }
            Await.until("the server has finished, too", () -> tls.counters().handshakesCompleted() == 60);
            assertEquals(0, tls.counters().handshakesFailed());
        }
    }
}
