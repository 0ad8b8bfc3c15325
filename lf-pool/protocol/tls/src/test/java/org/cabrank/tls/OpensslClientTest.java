package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers as {@code openssl s_client}, {@code wrk} and clients that stand still meet them. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class OpensslClientTest {
    /** Named bound: a busy machine does not end 8 handshakes in the second of one run. */
    private static final int WRK_RUNS_MAX = 20;

    private static final SelfSigned SERVER = TestTls.certificate("localhost", "127.0.0.1");
    private static final SelfSigned CLIENT = TestTls.certificate("client.test");

    @TempDir
    Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private StreamServer server;

    @BeforeEach
    void writeFiles() throws Exception {
        Files.writeString(directory.resolve("server.pem"), TlsServiceTest.pem(SERVER.certificate()));
        Files.writeString(directory.resolve("client.pem"), TlsServiceTest.pem(CLIENT.certificate()));
        Files.writeString(directory.resolve("client-key.pem"), TlsServiceTest.pem(CLIENT.key()));
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Answers each line with the line, and with what is known of the client. */
    private static final class Lines implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            TlsConnection tls = (TlsConnection) connection;
            String text = StandardCharsets.UTF_8.decode(data).toString().strip();
            String who = text.equals("who")
                    ? ((X509Certificate) tls.session().getPeerCertificates()[0])
                            .getSubjectX500Principal()
                            .getName()
                    : "unasked";
            connection.write(StandardCharsets.UTF_8.encode("echo " + text + ", name " + tls.serverName() + ", protocol "
                    + tls.applicationProtocol() + ", " + who + ".\n"));
        }
    }

    private Tls.Builder tls() throws Exception {
        return Tls.server(SERVER.context(CLIENT.certificate()));
    }

    private void serve(Tls tls) throws IOException {
        server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .threadsPerShard(2)
                .handler(tls.handlers(Lines::new))
                .start();
        open.add(server);
    }

    private SClient client(String... options) throws IOException {
        SClient client = new SClient(directory, server.port(), options);
        open.add(client);
        return client;
    }

    /** {@code openssl s_client}, whose commands are letters at the beginning of a line. */
    private static final class SClient implements AutoCloseable {
        private final Process process;
        private final StringBuffer output = new StringBuffer();
        private final Thread reader;

        SClient(Path directory, int port, String... options) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    "openssl",
                    "s_client",
                    "-connect",
                    "127.0.0.1:" + port,
                    "-CAfile",
                    directory.resolve("server.pem").toString()));
            command.addAll(Arrays.asList(options));
            try {
                process = new ProcessBuilder(command).redirectErrorStream(true).start();
            } catch (IOException missing) {
                assumeTrue(false, "openssl is not installed");
                throw missing;
            }
            InputStream said = process.getInputStream();
            reader = new Thread(() -> {
                byte[] bytes = new byte[4_096];
                try {
                    for (int count = said.read(bytes); count >= 0; count = said.read(bytes)) {
                        output.append(new String(bytes, 0, count, StandardCharsets.UTF_8));
                    }
                } catch (IOException closed) {
                    output.append(closed.getMessage());
                }
            });
            reader.start();
        }

        SClient send(String line) throws IOException {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            return this;
        }

        SClient awaitOutput(String text) throws Exception {
            Await.until("openssl says " + text, () -> output.indexOf(text) >= 0 || !process.isAlive());
            if (!process.isAlive()) {
                reader.join();
            }
            assertTrue(output.indexOf(text) >= 0, output::toString);
            return this;
        }

        /** Output so far is awaited by no later call. */
        void forgetOutput() {
            output.setLength(0);
        }

        /** Returns all output once the program has ended. */
        String end() throws Exception {
            process.getOutputStream().close();
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), output::toString);
            reader.join();
            return output.toString();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void nameAndApplicationProtocolAreNegotiated(String version) throws Exception {
        serve(tls().applicationProtocols("h2", "http/1.1")
                .contextByName(name -> null)
                .build());
        String output = client(version, "-servername", "LocalHost", "-alpn", "http/1.1,spdy/1")
                .awaitOutput("ALPN protocol: http/1.1")
                .send("hello")
                .awaitOutput("echo hello, name localhost, protocol http/1.1")
                .send("Q")
                .end();
        assertTrue(output.contains("Verify return code: 0 (ok)") || output.contains("Verification: OK"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aCertificateOfTheClientIsVerified(String version) throws Exception {
        Tls tls = tls().clientCertificate(Tls.ClientCertificate.NEED).build();
        serve(tls);
        client(
                        version,
                        "-cert",
                        directory.resolve("client.pem").toString(),
                        "-key",
                        directory.resolve("client-key.pem").toString())
                .send("who")
                .awaitOutput("CN=client.test");
        client(version).awaitOutput("alert"); // the program ends by itself, so nothing can be sent to it
        Await.until(
                "the client without a certificate is refused",
                () -> tls.counters().handshakesFailed() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aSessionIsResumed(String version) throws Exception {
        serve(tls().build());
        String session = directory.resolve("session").toString();
        client(version, "-sess_out", session)
                .send("first")
                .awaitOutput("echo first")
                .send("Q")
                .end();
        client(version, "-sess_in", session).awaitOutput("Reused, TLSv1." + version.charAt(6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", "K"})
    void keysAreUpdatedByEitherRequest(String command) throws Exception {
        serve(tls().build());
        SClient client = client("-tls1_3").send("before").awaitOutput("echo before");
        for (int round = 0; round < 3; round++) {
            client.send(command).awaitOutput("KEYUPDATE").forgetOutput();
            client.send("round " + round).awaitOutput("echo round " + round);
        }
    }

    @Test
    void aRenegotiationIsRefused() throws Exception {
        Tls tls = tls().build();
        serve(tls);
        SClient client =
                client("-tls1_2").send("before").awaitOutput("echo before").send("R");
        Await.until("the server has refused", () -> tls.counters().failures() == 1);
        String output = client.end();
        assertTrue(output.contains("Secure Renegotiation IS supported"), "RFC 5746 is spoken: " + output);
        assertEquals(1, tls.counters().handshakesCompleted());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1", "-tls1_1"})
    void anOldVersionIsRefused(String version) throws Exception {
        Tls tls = tls().build();
        serve(tls);
        String output = client(version, "-cipher", "ALL:@SECLEVEL=0").end();
        assertFalse(output.contains("Cipher is ECDHE"), output);
        Await.until("the server has refused", () -> tls.counters().handshakesFailed() == 1);
        assertEquals(0, tls.counters().handshakesCompleted());
    }

    /** Keeps connections, as HTTP/1.1 does. */
    private static final ConnectionHandler HTTP = (connection, data) -> {
        data.position(data.limit());
        connection.write(StandardCharsets.UTF_8.encode("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    };

    static List<BackendProvider> backends() {
        return BackendProvider.installed();
    }

    @ParameterizedTest
    @MethodSource("backends")
    void wrkIsServed(BackendProvider backend) throws Exception {
        Tls tls = tls().build();
        server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.of(backend))
                .handler(tls.handlers(() -> HTTP))
                .start();
        open.add(server);
        for (int run = 1; tls.counters().handshakesCompleted() < 8 && run <= WRK_RUNS_MAX; run++) {
            runWrk(server.port());
        }
        assertTrue(
                tls.counters().handshakesCompleted() >= 8, () -> tls.counters().toString());
        assertEquals(0, tls.counters().failures());
    }

    private static void runWrk(int port) throws Exception {
        Process wrk;
        try {
            wrk = new ProcessBuilder("wrk", "-t1", "-c8", "-d1s", "https://127.0.0.1:" + port + "/")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "wrk is not installed");
            throw missing;
        }
        String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(wrk.waitFor(120, TimeUnit.SECONDS));
        assertTrue(output.contains("requests in"), output);
        assertFalse(output.matches("(?s).*(connect|read|write) [1-9].*"), output); // time-outs depend on the machine
        assertFalse(output.contains("Non-2xx"), output);
    }
}
