package org.cabrank.http;

import java.io.IOException;
import java.util.stream.Stream;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.StreamServer;

/** A backend and a number of threads; those that differ most: one thread, and over epoll several that take over from each other. */
public record ServerModes(String backend, int threads) {
    public static Stream<ServerModes> all() {
        return BackendProvider.installed().stream()
                .flatMap(provider -> Stream.of(1, 3).map(threads -> new ServerModes(provider.name(), threads)))
                .filter(mode -> mode.threads == 1 || mode.backend.equals("epoll"));
    }

    public StreamServer start(HttpHandler handler) throws IOException {
        return start(Http.server(handler));
    }

    public StreamServer start(HttpService service) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.named(backend))
                .threadsPerShard(threads)
                .handler(service)
                .start();
    }

    @Override
    public String toString() {
        return backend + " " + threads;
    }
}
