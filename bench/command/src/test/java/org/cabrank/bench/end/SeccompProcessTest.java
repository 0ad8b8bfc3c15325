package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.pem.PemFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers under the seccomp profiles of {@code scripts/seccomp}, and under what Docker refuses by default. */
@Timeout(300)
final class SeccompProcessTest {
    private static final String METRICS = "metrics on ";
    private static final String ENFORCED = "Seccomp:\t2";

    @TempDir
    private Path directory;

    /**
     * Pinned threads behind TLS, which show their counters over JMX; a second server takes the sockets, and drains at the
     * end. A refusal that the server notices is one more line of the log. SLF4J is on the class path for tests alone.
     */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    @NewestJdk
    void serversReplaceEachOtherUnderTheProfileOfTheirBackend(String backend) throws Exception {
        assumeTrue(backend.equals("epoll") || PoolMode.whyNoRing() == null, PoolMode::whyNoRing);
        SeccompProfile profile =
                SeccompProfile.shipped(backend.equals("epoll") ? "cabrank-epoll.json" : "cabrank.json");
        PemFiles pem = PemFiles.valid(directory, "server", "localhost", "127.0.0.1");
        try (ServeProcess former = start(profile, pem, backend, 0)) {
            int port = former.address().port();
            assertTrue(Files.readString(Path.of("/proc/" + former.pid() + "/status"))
                    .contains(ENFORCED));
            assertAnswers(pem, port);
            assertMetrics(former);
            try (ServeProcess next = start(profile, pem, backend, port)) {
                assertEquals(port, next.address().port());
                assertEquals(0, former.exitStatus(), former::errorsOrWhyNot);
                assertAnswers(pem, port);
                next.terminate();
                assertEquals(0, next.exitStatus(), next::errorsOrWhyNot);
                List<String> said = next.errors()
                        .lines()
                        .filter(line -> !line.matches("placement.*|  shard 0  CPU 0 .*|SLF4J.*"))
                        .filter(line -> !line.contains("TLS: a shard has one thread"))
                        .toList();
                assertTrue(said.size() == 1 && said.get(0).endsWith("the former server drains"), next::errorsOrWhyNot);
            }
        }
    }

    private ServeProcess start(SeccompProfile profile, PemFiles pem, String backend, int port) throws IOException {
        return ServeProcess.startUnder(
                profile.command(),
                null,
                "http",
                "--listen",
                "127.0.0.1:" + port,
                "--backend",
                backend,
                "--threads-per-shard",
                backend.equals("epoll") ? "2" : "1",
                "--cpus",
                "0",
                "--jmx",
                "--metrics",
                "127.0.0.1:0",
                "--tls-cert",
                pem.certificate().toString(),
                "--tls-key",
                pem.key().toString(),
                "--handover",
                directory.resolve("handover").toString());
    }

    private static void assertAnswers(PemFiles pem, int port) throws Exception {
        SSLContext trusting = pem.trusting();
        try (SSLSocket client = (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", port)) {
            client.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.endsWith("Hello, World!"), answer);
        }
    }

    private static void assertMetrics(ServeProcess server) throws IOException {
        String line = server.nextLine();
        while (!line.startsWith(METRICS)) { // behind the one about the certificate
            line = server.nextLine();
        }
        URL url = new URL("http://" + line.substring(METRICS.length()) + "/metrics");
        try (InputStream page = url.openConnection(Proxy.NO_PROXY).getInputStream()) {
            String text = new String(page.readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(text.contains("cabrank_"), text);
        }
    }

    @Test
    @NewestJdk
    void profileWithoutIoUringHasEpollServeWithTheReason() throws Exception {
        assertFallsBack(SeccompProfile.shipped("cabrank-epoll.json"));
    }

    @InSoak
    @Test
    void refusalsOfDockerHaveEpollServeWithTheReason() throws Exception {
        assertFallsBack(SeccompProfile.in(dockerRefusals()));
    }

    private static void assertFallsBack(SeccompProfile profile) throws Exception {
        Fallback.assertFallsBack(
                profile.command(),
                "a seccomp filter forbids it, as those of container runtimes do",
                "run with a profile that allows io_uring_setup, io_uring_enter and io_uring_register",
                "(io_uring_setup: EPERM)");
    }

    private static Path dockerRefusals() throws URISyntaxException {
        return Path.of(
                SeccompProcessTest.class.getResource("docker-refusals.json").toURI());
    }

    /** Guards the other tests against a filter that was not loaded. */
    @ParameterizedTest
    @ValueSource(strings = {"cabrank.json", "cabrank-epoll.json"})
    void callsOutsideOfTheProfileAreRefused(String name) throws Exception {
        String refused = SeccompProfile.shipped(name).run("unshare", "--user", "true");
        assertTrue(refused.contains("Function not implemented (exit status "), refused);
    }
}
