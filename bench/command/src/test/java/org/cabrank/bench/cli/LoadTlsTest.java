package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.fixture.PlayedServer;
import org.cabrank.bench.handler.EchoHandler;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.pem.PemFiles;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code cabrank load --tls} against servers of this library, and against servers that the test plays with the JDK's sockets. */
@Once
@Timeout(300)
final class LoadTlsTest {

    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final String NOBODY_ANSWERED = "error: no answer came in the measured interval";
    private static final int LONGEST_MS = 6_400;
    private static final String EITHER_VERSION = "--size 100";

    private static PemFiles pem;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void writeFiles(@TempDir Path directory) throws Exception {
        pem = PemFiles.valid(directory, "server", "localhost", "127.0.0.1");
    }

    /** Patterns that differ below the content: requests, chunks of all sizes, and connections that end. In a soak all. */
    static Stream<String> patterns() {
        Stream<String> few = Stream.of(EITHER_VERSION, "--pattern random-chunks --threads 2", "--pattern churn");
        return SOAK
                ? Stream.concat(
                        few,
                        Stream.of(
                                "--depth 16 --size 40000 --idle 5",
                                "--pattern streaming",
                                "--pattern bursts --burst 2 --burst-interval 20ms"))
                : few;
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void patternIsVerifiedOverTls(String options) throws Exception {
        boolean both = options.equals(EITHER_VERSION) || SOAK;
        for (String version : both ? List.of("TLSv1.3", "TLSv1.2") : List.of("TLSv1.3")) {
            Tls tls = Tls.server(pem.context()).protocols(version).build();
            assertEquals(0, load(tls, echo(), "--tls", "--tls-ca", pem.certificate(), options), err::toString);
            assertEquals(0, tls.counters().handshakesFailed(), version);
            assertEquals(0, tls.counters().truncations(), version);
            assertEquals(0, tls.counters().failures(), version);
        }
    }

    @Test
    void anAnswerThatIsWrongFailsTheRun() throws Exception {
        ConnectionHandler liar = (connection, data) -> {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            bytes[0] ^= 1;
            connection.write(ByteBuffer.wrap(bytes));
        };
        Tls tls = Tls.server(pem.context()).build();
        assertEquals(1, load(tls, liar, "--tls", "--tls-ca", pem.certificate()));
        assertTrue(err.toString().contains("error: wrong answer, 4 times"), err.toString());
    }

    @Test
    void aCertificateThatIsNotTrustedFailsTheRun() throws Exception {
        Tls tls = Tls.server(pem.context()).build();
        PemFiles other = PemFiles.valid(directory, "other", "127.0.0.1");
        assertEquals(1, load(tls, echo(), "--tls", "--tls-ca", other.certificate()));
        assertTrue(err.toString().contains("error: TLS handshake: "), err.toString());
        assertTrue(err.toString().contains("--tls-ca FILE names the certificates to trust"), err.toString());
    }

    @Test
    void aCertificateOfAnotherHostFailsTheRun() throws Exception {
        PemFiles other = PemFiles.valid(directory, "other", "other.example");
        Tls tls = Tls.server(other.context()).build();
        assertEquals(1, load(tls, echo(), "--tls", "--tls-ca", other.certificate()));
        assertTrue(err.toString().contains("127.0.0.1"), err.toString());
    }

    @Test
    void anyCertificateIsAcceptedOnDemandWithAWarning() throws Exception {
        PemFiles other = PemFiles.expired(directory, "other");
        Tls tls = Tls.server(other.context()).build();
        assertEquals(0, load(tls, echo(), "--tls", "--tls-insecure"), err::toString);
        assertTrue(err.toString().startsWith("warning: the certificate of the server is not verified"), err.toString());
    }

    @Test
    void aServerOfPlainTextFailsTheRun() throws Exception {
        try (PlayedServer server = new PlayedServer(PlayedServer::echo)) {
            assertEquals(1, load(server.address().getPort(), "--tls", "--tls-insecure"));
        }
        assertTrue(err.toString().contains("does the server speak TLS"), err.toString());
    }

    @Test
    void theJdksServerIsVerifiedToItsCloseNotify() throws Exception {
        SSLSocketFactory sockets = pem.context().getSocketFactory();
        try (PlayedServer server = new PlayedServer((client, number) -> {
            try (Socket secured = accepted(sockets, client)) {
                PlayedServer.echo(secured, number);
            }
        })) {
            assertEquals(0, load(server.address().getPort(), "--tls", "--tls-ca", pem.certificate()), err::toString);
        }
    }

    @Test
    void aServerThatCutsConnectionsOffFailsTheRun() throws Exception {
        SSLSocketFactory sockets = pem.context().getSocketFactory();
        try (PlayedServer server = new PlayedServer((client, number) -> {
            Socket secured = accepted(sockets, client);
            secured.getInputStream().readNBytes(16);
            client.close(); // and no close_notify
        })) {
            assertEquals(1, load(server.address().getPort(), "--tls", "--tls-insecure", "--size", 16));
        }
        assertTrue(err.toString().contains("closed by the server before the answer, 4 times"), err.toString());
    }

    private static Socket accepted(SSLSocketFactory sockets, Socket client) throws IOException {
        SSLSocket secured = (SSLSocket) sockets.createSocket(client, null, client.getPort(), true);
        secured.setUseClientMode(false);
        return secured;
    }

    private static ConnectionHandler echo() {
        return new EchoHandler(HandlerWork.NONE);
    }

    private int load(Tls tls, ConnectionHandler handler, Object... options) throws Exception {
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(tls.handlers(() -> handler))
                .start()) {
            return load(server.port(), options);
        }
    }

    private int load(int port, Object... options) {
        int status = load(200, port, options);
        // A busy machine answers nobody for a while.
        for (int ms = 1_600; err.toString().contains(NOBODY_ANSWERED) && ms <= LONGEST_MS; ms *= 4) {
            err.getBuffer().setLength(0);
            status = load(ms, port, options);
        }
        return status;
    }

    private int load(int measuredMs, int port, Object... options) {
        List<String> line =
                new ArrayList<>(List.of("load", "--connections", "4", "--warmup", "0s", "--timeout", "60s"));
        line.addAll(List.of("--duration", measuredMs + "ms", "--connect", "127.0.0.1:" + port));
        for (Object option : options) {
            line.addAll(List.of(option.toString().split(" ")));
        }
        String[] arguments = line.toArray(String[]::new);
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commands.execute(arguments);
    }
}
