package org.cabrank.example;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.cabrank.proxy.ProxiedConnection;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;

/** Greets each client by its address, and then sends back whatever the client sends. */
public final class ProxiedGreetingService implements ConnectionHandler {
    private static final ProxyProtocol PROXIES = ProxyProtocol.builder()
            .trusted("127.0.0.1", "10.0.0.0/8") // the proxies, and nobody else
            .headerTimeout(Duration.ofSeconds(2))
            .build();

    @Override
    public void opened(Connection connection) {
        ProxiedConnection proxied = (ProxiedConnection) connection;
        String tls = proxied.header().flatMap(header -> header.ssl()).isPresent() ? ", by TLS" : "";
        String greeting = "welcome " + proxied.remoteAddress() + tls + "\n"; // proxied.proxyAddress() is the proxy
        connection.write(StandardCharsets.UTF_8.encode(greeting));
    }

    @Override
    public void data(Connection connection, ByteBuffer data) {
        connection.write(data); // the bytes behind the header
    }

    static StreamServer start(int port) throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", port)
                .handler(PROXIES.handlers(ProxiedGreetingService::new))
                .start();
    }

    public static void main(String[] args) throws Exception {
        try (StreamServer server = start(args.length > 0 ? Integer.parseInt(args[0]) : 7000)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            server.awaitTermination();
        }
    }
}
