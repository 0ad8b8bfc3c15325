package com.example.store;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.cabrank.framing.FrameHandler;
import org.cabrank.framing.Framing;
import org.cabrank.http.Http;
import org.cabrank.http.HttpExchange;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.micrometer.ListenerMetrics;
import org.cabrank.micrometer.ReactorMetrics;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Pem;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;

/** A key-value store over TLS. Requests are "put KEY VALUE" and "get KEY". Each request and answer is a frame: a length and a text. */
public final class StoreService implements AutoCloseable {
    static final Framing FRAMING = Framing.lengthPrefixed(4).max(32 << 10); // the length included
    private static final int ENTRIES_MAX = 100_000;
    private final Map<String, String> entries = new ConcurrentHashMap<>();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final StreamServer store;
    final StreamServer pages;
    private volatile boolean draining;

    StoreService(String host, int port, int pagesPort, SSLContext certificate) throws IOException {
        FrameHandler frames = (connection, frame) -> FRAMING.write(connection, answer(entries, frame)); // it may block
        store = StreamServer.builder()
                .listen(host, port)
                .connectionsMax(10_000)
                .idleTimeout(Duration.ofMinutes(5))
                .drainGrace(Duration.ofMillis(200)) // for requests that are on their way when the drain begins
                .drainTimeout(Duration.ofSeconds(10))
                .handler(Tls.server(certificate).build().handlers(FRAMING.handlers(() -> frames)))
                .start();
        new ReactorMetrics(store.reactor(), List.of()).bindTo(registry);
        new ListenerMetrics(store.listener(), List.of()).bindTo(registry);
        try { // the pages have a thread of their own, and answer even if all threads of the store are stuck
            pages = StreamServer.builder()
                    .threadsPerShard(1)
                    .listen(host, pagesPort)
                    .handler(Http.server(this::page))
                    .start();
        } catch (IOException | RuntimeException notStarted) {
            store.close();
            throw notStarted;
        }
    }

    static ByteBuffer answer(Map<String, String> entries, ByteBuffer frame) {
        String[] words = StandardCharsets.UTF_8.decode(frame).toString().split(" ", 3);
        String answer = "error: put KEY VALUE, get KEY; or the store is full";
        if (words.length == 2 && words[0].equals("get")) {
            answer = "value " + entries.getOrDefault(words[1], "");
        } else if (words.length == 3 && words[0].equals("put") && entries.size() < ENTRIES_MAX) {
            entries.put(words[1], words[2]);
            answer = "done";
        }
        return StandardCharsets.UTF_8.encode(answer);
    }

    private void page(HttpExchange exchange) {
        if (exchange.path().is("/metrics")) {
            exchange.send(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
        } else if (exchange.path().is("/health")) {
            Liveness liveness = store.liveness(Liveness.LIMIT_DEFAULT);
            boolean healthy = !draining && store.failure() == null && liveness.isLive();
            exchange.send(healthy ? 200 : 503, "text/plain", (draining ? "draining" : liveness) + "\n");
        } else {
            exchange.send(404);
        }
    }

    /** Lets the health page answer 503 for {@code delaySeconds}, so that a balancer notices. Then drains the store. */
    void drain(int delaySeconds) {
        draining = true;
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(delaySeconds));
        store.close();
    }

    @Override
    public void close() {
        store.close();
        pages.close();
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 4 && args.length != 6) {
            System.err.println("usage: StoreService HOST PORT PAGES-PORT DELAY-SECONDS [CERTIFICATES.pem KEY.pem]");
            System.exit(2);
        }
        SSLContext certificate = args.length > 4
                ? Pem.context(Path.of(args[4]), Path.of(args[5]), null)
                : SelfSigned.of(Instant.now(), Instant.now().plus(Duration.ofDays(1)), "localhost")
                        .context();
        try (StoreService service =
                new StoreService(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]), certificate)) {
            int delay = Integer.parseInt(args[3]);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> service.drain(delay))); // SIGTERM, Ctrl-C
            System.out.println("listening on " + service.store.localAddress());
            service.store.awaitTermination(); // throws if the reactor has failed: the exit status is 1
        } catch (IOException notStarted) { // a taken port, for instance
            System.err.println(notStarted.getMessage());
            System.exit(1);
        }
    }
}
