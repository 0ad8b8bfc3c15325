package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.example.TcnativeEngines;
import org.cabrank.tls.example.TlsRecipes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples of the page. */
@Timeout(300)
class TlsRecipesTest {
    private static final SelfSigned SERVER = TestTls.certificate("localhost", "127.0.0.1");
    private static final SelfSigned RENEWED = TestTls.certificate("localhost", "127.0.0.1");
    private static final SelfSigned CLIENT = TestTls.certificate("client.test");
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);

    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeEach
    void writeFiles() throws Exception {
        certificate = write("certificate.pem", TlsServiceTest.pem(SERVER.certificate()));
        key = write("key.pem", TlsServiceTest.pem(SERVER.key()));
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    /** Returns the answer of a server to one message, and the certificate that the server has shown. */
    private static String ask(Tls server, ConnectionHandler handler, SelfSigned client, X509Certificate... trusted)
            throws Exception {
        try (StreamServer serving = StreamServer.builder()
                        .listen("127.0.0.1", 0)
                        .handler(server.handlers(() -> handler))
                        .start();
                StreamReactor reactor = StreamReactor.builder().start()) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            TlsConnection connection = TlsRecipes.connect(
                            reactor,
                            client == null ? SelfSigned.trusting(trusted) : client.context(trusted),
                            serving.port(),
                            (own, data) -> answer.complete(
                                    StandardCharsets.UTF_8.decode(data).toString()))
                    .get(120, TimeUnit.SECONDS);
            connection.write(ByteBuffer.wrap(new byte[] {'x'}));
            X509Certificate shown = (X509Certificate) connection.session().getPeerCertificates()[0];
            return answer.get(120, TimeUnit.SECONDS) + (shown.equals(RENEWED.certificate()) ? ", renewed" : "");
        }
    }

    @Test
    void certificatesInFilesAreReadAgain() throws Exception {
        Tls tls = TlsRecipes.fromPemFiles(certificate, key);
        assertEquals("x", ask(tls, ECHO, null, SERVER.certificate()));
        write("certificate.pem", TlsServiceTest.pem(RENEWED.certificate()));
        write("key.pem", TlsServiceTest.pem(RENEWED.key()));
        TlsRecipes.renew(tls, certificate, key);
        assertEquals("x, renewed", ask(tls, ECHO, null, RENEWED.certificate()));
    }

    @Test
    void aHostNameChoosesTheCertificate() throws Exception {
        SelfSigned named = TestTls.certificate("named.test");
        Tls server = TlsRecipes.byHostName(SERVER.context(), Map.of("named.test", named.context()));
        for (Map.Entry<String, SelfSigned> each :
                Map.of("named.test", named, "localhost", SERVER).entrySet()) {
            X509Certificate expected = each.getValue().certificate();
            Tls client = Tls.client(SelfSigned.trusting(expected), each.getKey(), 443)
                    .build();
            PlainRecorder recorder = new PlainRecorder();
            try (TlsPair pair = new TlsPair(server, ECHO, client, recorder, 1_000)) {
                pair.exchange();
                assertEquals(expected, recorder.connection.session().getPeerCertificates()[0]);
            }
        }
    }

    @Test
    void aProtocolIsNegotiated() throws Exception {
        assertEquals("x", ask(TlsRecipes.negotiating(SERVER.context()), ECHO, null, SERVER.certificate()));
    }

    @Test
    void aKnownClientIsGreetedByItsName() throws Exception {
        Path authorities = write("clients.pem", TlsServiceTest.pem(CLIENT.certificate()));
        Tls tls = TlsRecipes.forKnownClients(certificate, key, authorities);
        assertEquals("TLSv1.3  for CN=client.test", ask(tls, TlsRecipes.greeting(), CLIENT, SERVER.certificate()));
    }

    @Test
    void handshakesRunOnAnExecutor() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Tls tls = TlsRecipes.withHandshakesElsewhere(SERVER.context(), threads);
            assertEquals("x", ask(tls, ECHO, null, SERVER.certificate()));
        } finally {
            threads.shutdown();
            assertTrue(threads.awaitTermination(120, TimeUnit.SECONDS));
        }
    }

    @Test
    void enginesOfTcnativeServe() throws Exception {
        assumeTrue(OpenSsl.isAvailable(), "Netty's tcnative does not run here");
        TcnativeEngines engines = new TcnativeEngines(SslContextBuilder.forServer(SERVER.key(), SERVER.certificate())
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .build());
        assertEquals("x", ask(Tls.server(engines).build(), ECHO, null, SERVER.certificate()));
    }
}
