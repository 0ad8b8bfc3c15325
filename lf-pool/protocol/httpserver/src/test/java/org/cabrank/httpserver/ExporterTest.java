package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HTTP exporter of the Prometheus client, unchanged, which the JDK gives this provider. It has up to ten threads: with the JDK's server
 * ten clients that stall keep it from answering.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ExporterTest {
    private static final int STALLED = 20;
    private static final String SCRAPE = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HALF_A_BODY = "POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf";

    private final List<RawClient> stalled = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawClient client : stalled) {
            client.close();
        }
    }

    /** @param lines of the metrics page, about 60 bytes each */
    private static HTTPServer start(int lines) throws IOException {
        PrometheusRegistry registry = new PrometheusRegistry();
        Counter counter = Counter.builder()
                .name("stalled_clients")
                .labelNames("number")
                .help("Counted in a test.")
                .register(registry);
        for (int i = 0; i < lines; i++) {
            counter.labelValues("a label that makes the line long: " + i).inc();
        }
        return HTTPServer.builder()
                .inetAddress(InetAddress.getLoopbackAddress())
                .port(0)
                .registry(registry)
                .buildAndStart();
    }

    private static RawClient connect(HTTPServer exporter) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), exporter.getPort()));
    }

    private static void assertScrapes(HTTPServer exporter) throws IOException {
        try (RawClient scraper = connect(exporter)) {
            for (int i = 0; i < 3; i++) {
                RawClient.Answer answer = scraper.send(SCRAPE).answer();
                assertEquals(200, answer.status());
                assertTrue(answer.body().contains("stalled_clients_total{number="), answer.body());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /metrics HTTP/1.1\r\nHos", HALF_A_BODY})
    void clientsThatStallInTheirRequestsDoNotKeepItFromScrapes(String begun) throws Exception {
        try (HTTPServer exporter = start(3)) {
            for (int i = 0; i < STALLED; i++) {
                stalled.add(connect(exporter).send(begun));
            }
            assertScrapes(exporter);
            for (RawClient client : stalled) { // each is served when it continues
                client.send(begun.equals(HALF_A_BODY) ? "x".repeat(96) : "t: a\r\n\r\n");
                assertEquals(200, client.answer().status());
            }
        }
    }

    /** Each has asked for 5 MB, and takes none of them. */
    @Test
    void clientsThatDoNotReadDoNotKeepItFromScrapes() throws Exception {
        try (HTTPServer exporter = start(2_000)) {
            for (int i = 0; i < STALLED; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4 << 10);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), exporter.getPort()));
                stalled.add(new RawClient(socket).send(SCRAPE.repeat(25)));
            }
            assertScrapes(exporter);
        }
    }
}
