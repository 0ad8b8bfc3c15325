package org.cabrank.bench.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Instant;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;

/** A server that has everything that can be observed, rings, TLS and a histogram of its own, with its page of metrics. */
final class ObservedServer implements AutoCloseable {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final StreamServer server;
    private final MetricsServer metrics;

    private ObservedServer(StreamServer server, MetricsServer metrics) {
        this.server = server;
        this.metrics = metrics;
    }

    static ObservedServer start() throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        Tls tls = Tls.server(
                        SelfSigned.of(now, now.plusSeconds(600), "localhost").context())
                .build();
        StreamServer server = StreamServer.builder()
                .backend(Backend.named("iouring"))
                .listen(ANY_PORT)
                .latencyMeasured(true)
                .handler(tls.handlers(() -> (connection, data) -> connection.write(data)))
                .start();
        try {
            server.reactor().histogram("query");
            return new ObservedServer(
                    server, MetricsServer.start(ANY_PORT, new int[0], server, tls, new RequestCounter(), () -> false));
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
    }

    /** Address of the page of metrics, as Prometheus wants it. */
    String target() {
        return "127.0.0.1:" + metrics.address().getPort();
    }

    /** Returns the page of metrics once it has those of garbage collection, which are there after the first one. */
    String page() throws IOException, InterruptedException {
        String page = get("http://" + target() + "/metrics");
        while (!page.contains("jvm_gc_pause_seconds_sum")) {
            System.gc();
            page = get("http://" + target() + "/metrics");
        }
        return page;
    }

    static String get(String address) throws IOException, InterruptedException {
        return CLIENT.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        metrics.close();
        server.close();
    }
}
