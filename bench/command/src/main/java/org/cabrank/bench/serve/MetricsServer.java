package org.cabrank.bench.serve;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.http.PageHandler;
import org.cabrank.bench.http.PageHandler.Page;
import org.cabrank.http.Http;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.micrometer.ListenerMetrics;
import org.cabrank.micrometer.ReactorMetrics;
import org.cabrank.micrometer.RingMetrics;
import org.cabrank.micrometer.TlsMetrics;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;

/**
 * Serves metrics and health pages. Its own reactor with one thread answers even if the observed server is stuck.
 *
 * <ul>
 *   <li>{@code /metrics}: text format of Prometheus
 *   <li>{@code /health}: 503 while the server drains or a shard is not served, otherwise 200
 *   <li>{@code /health/live}: 503 while a shard is not served, otherwise 200
 * </ul>
 */
public final class MetricsServer implements AutoCloseable {
    private static final Duration IDLE = Duration.ofMinutes(2);

    private static final int CONNECTIONS_MAX = 64;

    /** Meters of Micrometer that are left out, because promtool refuses names with an abbreviated unit and gauges that end with "count". */
    private static final List<String> AGAINST_CONVENTIONS = List.of("process.cpu.time", "system.cpu.count");

    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics collections;
    private final StreamServer pages;

    private MetricsServer(PrometheusMeterRegistry registry, JvmGcMetrics collections, StreamServer pages) {
        this.registry = registry;
        this.collections = collections;
        this.pages = pages;
    }

    /** Starts a server. It listens on {@code sockets} of an earlier server at this address, or on a new socket if there are none. */
    public static MetricsServer start(
            InetSocketAddress address,
            int[] sockets,
            StreamServer observed,
            Tls tls,
            RequestCounter requests,
            BooleanSupplier draining)
            throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        for (String name : AGAINST_CONVENTIONS) {
            registry.config().meterFilter(MeterFilter.denyNameStartsWith(name));
        }
        JvmGcMetrics collections = new JvmGcMetrics();
        bind(registry, collections, observed, tls, requests);
        PageHandler handler = new PageHandler(target -> page(target, registry, observed, draining));
        StreamServer.Builder builder = StreamServer.builder();
        if (sockets.length == 0) {
            builder.listen(address);
        } else {
            builder.listen(sockets);
        }
        StreamServer pages = builder.name("metrics")
                .backend(Backend.named("epoll"))
                .connectionsMax(CONNECTIONS_MAX)
                .idleTimeout(IDLE)
                .drainTimeout(Duration.ofSeconds(1))
                .handler(Http.server(handler))
                .start();
        return new MetricsServer(registry, collections, pages);
    }

    private static void bind(
            PrometheusMeterRegistry registry,
            JvmGcMetrics collections,
            StreamServer observed,
            Tls tls,
            RequestCounter requests) {
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new ReactorMetrics(observed.reactor(), List.of()).bindTo(registry);
        new RingMetrics(observed.reactor(), List.of()).bindTo(registry);
        for (Listener listener : observed.listeners()) {
            new ListenerMetrics(listener, List.of()).bindTo(registry);
        }
        if (tls != null) {
            new TlsMetrics(tls, List.of()).bindTo(registry);
        }
        FunctionCounter.builder("cabrank.server.requests", requests, RequestCounter::total)
                .description("Requests answered; of echo, bytes that are read at once count as one")
                .register(registry);
    }

    private static Page page(
            String target, PrometheusMeterRegistry registry, StreamServer observed, BooleanSupplier draining) {
        return switch (target) {
            case "/metrics" -> new Page(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
            case "/health", "/health/ready" ->
                draining.getAsBoolean() ? Page.unavailable("draining\n") : live(observed);
            case "/health/live" -> live(observed);
            default -> null;
        };
    }

    private static Page live(StreamServer observed) {
        if (observed.failure() != null) {
            return Page.unavailable("failed: " + observed.failure().getMessage() + "\n");
        }
        Liveness found = observed.liveness(Liveness.LIMIT_DEFAULT);
        return found.isLive() ? Page.text("ok\n") : Page.unavailable(found + "\n");
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) pages.localAddress();
    }

    public Listener listener() {
        return pages.listener();
    }

    @Override
    public void close() {
        pages.close();
        collections.close();
        registry.close();
    }
}
