package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.text.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cabrank serve --metrics}, as Prometheus and a load balancer ask for it. */
@Timeout(300)
@NewestJdk
final class MetricsProcessTest {
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final String METRICS = "metrics on ";
    private static final int UNAVAILABLE = 503;
    private static final int SIGTERM_STATUS = 128 + 15;

    private final HttpClient client = HttpClient.newHttpClient();

    private static HostPort metrics(ServeProcess server) throws IOException {
        String line = server.nextLine();
        assertTrue(line.startsWith(METRICS), line);
        return HostPort.parse(line.substring(METRICS.length()));
    }

    private HttpResponse<String> get(HostPort address, String target) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://" + address + target)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void metricsCountWhatWasServedAndHealthFollowsTheDrain(String backend) throws Exception {
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--backend",
                backend,
                "--metrics",
                ANY_PORT,
                "--set",
                "serve.drainGrace=60s",
                "--drain-timeout",
                "60s")) {
            HostPort served = server.address();
            HostPort metrics = metrics(server);
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
                connection.getOutputStream().write(7);
                assertEquals(7, connection.getInputStream().read());
                HttpResponse<String> page = get(metrics, "/metrics?name=all");
                assertEquals(200, page.statusCode());
                assertEquals(
                        "text/plain; version=0.0.4; charset=utf-8",
                        page.headers().firstValue("Content-Type").orElseThrow());
                assertTrue(page.body().contains("\ncabrank_connections_active 1.0\n"), page.body());
                assertTrue(page.body().contains("\ncabrank_server_requests_total 1.0\n"), page.body());
                assertTrue(
                        page.body().contains("\ncabrank_listener_accepted_total{listener=\"" + served + "\"} 1.0\n"),
                        page.body());
                assertPromtoolFindsNothing(page.body());
                assertEquals("ok\n", get(metrics, "/health").body());
                assertEquals(404, get(metrics, "/").statusCode());
                server.terminate(); // the connection stays in the grace of the drain
                server.awaitEnding();
                HttpResponse<String> health = get(metrics, "/health");
                while (health.statusCode() == 200) {
                    health = get(metrics, "/health");
                }
                assertEquals(UNAVAILABLE, health.statusCode());
                assertEquals("draining\n", health.body());
                assertEquals(200, get(metrics, "/health/live").statusCode());
            }
            assertEquals(0, server.exitStatus());
        }
    }

    @Test
    void serverGoesOnAcceptingBehindAnUnhealthyPageUntilTheDrainDelayHasPassed() throws Exception {
        try (ServeProcess server = ServeProcess.start(
                null, "echo", "--listen", ANY_PORT, "--metrics", ANY_PORT, "--drain-delay", "10min")) {
            HostPort served = server.address();
            HostPort metrics = metrics(server);
            server.terminate();
            while (get(metrics, "/health").statusCode() != UNAVAILABLE) {
                Thread.onSpinWait();
            }
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
                connection.getOutputStream().write(7);
                assertEquals(7, connection.getInputStream().read());
            }
            server.terminate();
            assertEquals(SIGTERM_STATUS, server.exitStatus()); // the second signal does not wait
        }
    }

    private static void assertPromtoolFindsNothing(String page) throws IOException, InterruptedException {
        Process promtool;
        try {
            promtool = new ProcessBuilder("promtool", "check", "metrics")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "promtool is not installed");
            return;
        }
        try (OutputStream in = promtool.getOutputStream()) {
            in.write(page.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals("", said);
        assertEquals(0, promtool.waitFor());
    }
}
