package org.cabrank.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class MetricsTest {
    private static final List<Tag> TAGS = List.of(Tag.of("service", "echo"));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static StreamServer start(String backend) throws IOException {
        return StreamServer.builder()
                .backend(Backend.named(backend))
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .shards(2)
                .threadsPerShard(backend.equals("epoll") ? 2 : 1)
                .latencyMeasured(true)
                .handler(() -> (connection, data) -> connection.write(data))
                .start();
    }

    private static void echo(StreamServer server, int bytes) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.getOutputStream().write(new byte[bytes]);
            assertEquals(bytes, client.getInputStream().readNBytes(bytes).length);
        }
    }

    private double sum(String name) {
        return registry.get(name).tags(TAGS).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void metersFollowTheReactor(String backend) throws Exception {
        try (StreamServer server = start(backend)) {
            LatencyHistogram queries = server.reactor().histogram("query");
            new ReactorMetrics(server.reactor(), TAGS).bindTo(registry);
            new ListenerMetrics(server.listener(), TAGS).bindTo(registry);
            new RingMetrics(server.reactor(), TAGS).bindTo(registry);
            assertEquals(0, sum("cabrank.connections.opened"));
            echo(server, 1_000);
            echo(server, 1_000);
            queries.record(1_000_000);
            assertEquals(2, sum("cabrank.connections.opened"));
            assertEquals(2, sum("cabrank.listener.accepted"));
            assertEquals(2_000, sum("cabrank.shard.received"));
            while (sum("cabrank.shard.sent") < 2_000) { // a ring counts bytes when their request has ended
                Thread.onSpinWait();
            }
            assertEquals(2_000, sum("cabrank.shard.sent"));
            assertEquals(
                    server.reactor().pools().size(),
                    registry.get("cabrank.pool.live").gauges().stream()
                            .filter(gauge -> gauge.value() == 1)
                            .count());
            assertTrue(sum("cabrank.pool.processing.duration.recorded") >= 2);
            double median = registry.get("cabrank.service.duration")
                    .tag("percentile", "50")
                    .tag("histogram", "query")
                    .timeGauge()
                    .value(TimeUnit.MILLISECONDS);
            assertEquals(1, median, 0.05);
            assertEquals(
                    backend.equals("iouring") ? 2 : 0,
                    registry.find("cabrank.ring.receives.starved")
                            .functionCounters()
                            .size());
            server.listener().pause();
            assertEquals(1, registry.get("cabrank.listener.paused").gauge().value());
        }
    }

    @Test
    void metersCountTheThreadsThatAPoolHasAdded() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(() -> (connection, data) -> {
                    data.position(data.limit());
                    released.await();
                })
                .start()) {
            new ReactorMetrics(server.reactor(), TAGS).bindTo(registry);
            try (Socket client = new Socket("127.0.0.1", server.port())) {
                client.getOutputStream().write(1);
                while (sum("cabrank.pool.threads.added") < 1) { // the follower has taken over from the handler
                    Thread.onSpinWait();
                }
            } finally {
                released.countDown();
            }
            assertEquals(0, sum("cabrank.pool.threads.refused"));
            assertEquals(0, sum("cabrank.pool.threads.ended"));
        }
    }

    @Test
    void metersOfTlsCountHandshakes() throws Exception {
        Instant now = Instant.now();
        SelfSigned certificate = SelfSigned.of(now, now.plusSeconds(60), "localhost");
        Tls tls = Tls.server(certificate.context()).build();
        try (StreamServer server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .handler(tls.handlers(() -> (connection, data) -> connection.write(data)))
                .start()) {
            new TlsMetrics(tls, TAGS).bindTo(registry);
            try (Socket client = SelfSigned.trusting(certificate.certificate())
                    .getSocketFactory()
                    .createSocket("127.0.0.1", server.port())) {
                client.getOutputStream().write(1);
                assertEquals(1, client.getInputStream().read());
            }
            assertEquals(1, sum("cabrank.tls.handshakes.completed"));
        }
    }

    @Test
    void everyMeterIsDescribedAndNamesFollowTheConvention() throws Exception {
        try (StreamServer server = start("epoll")) {
            server.reactor().histogram("query");
            new ReactorMetrics(server.reactor(), TAGS).bindTo(registry);
            new ListenerMetrics(server.listener(), TAGS).bindTo(registry);
            List<String> wrong = registry.getMeters().stream()
                    .map(Meter::getId)
                    .filter(id -> !id.getName().matches("cabrank(\\.[a-z]+)+")
                            || id.getDescription() == null
                            || !id.getTag("service").equals("echo"))
                    .map(Meter.Id::toString)
                    .collect(Collectors.toList());
            assertEquals(List.of(), wrong);
        }
    }
}
