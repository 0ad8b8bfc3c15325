package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Time limits of clients that the settings name. Each test has two servers: the connection that has begun last, with the shorter limit, ends
 * first.
 */
@Timeout(300)
class TimeoutsTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int LARGE = 2 << 20;

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        servers.forEach(one -> one.stop(0));
    }

    private static int connections(HttpServer server) {
        return CabrankHttpServerProvider.reactor(server).connections().size();
    }

    /** A client whose kernel takes little, and that reads nothing. */
    private void stall(HttpServer server, String request) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10); // before the connection, or the kernel grows the buffer
        socket.connect(server.getAddress());
        clients.add(new RawClient(socket).send(request));
        Await.until(
                "the connection is open, or was",
                () -> CabrankHttpServerProvider.reactor(server).counters().opened() == 1);
    }

    private HttpServer start(HttpServerSettings settings) throws IOException {
        HttpServer server = ServerMode.create(settings);
        server.createContext("/", TimeoutsTest::sendLarge);
        server.start();
        servers.add(server);
        return server;
    }

    private static void sendLarge(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, LARGE);
        exchange.getResponseBody().write(new byte[LARGE]);
        exchange.close();
    }

    private void firstEndsBehindSecond(HttpServer first, HttpServer second, String request) throws Exception {
        stall(first, request);
        stall(second, request);
        Await.until("the connection with the shorter limit has ended", () -> connections(second) == 0);
        assertEquals(1, connections(first));
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#ofSeveralThreads")
    void aClientThatStandsStillBehindTheLastAnswerIsReset(ServerMode mode) throws Exception {
        String last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        HttpServerSettings settings = mode.settings().withAnswerBytesQueued(3 << 20);
        firstEndsBehindSecond(
                start(settings.withClose(LONG).withCloseTotal(LONG)),
                start(settings.withClose(SHORT).withCloseTotal(LONG)),
                last);
        firstEndsBehindSecond(
                start(settings.withClose(LONG).withCloseTotal(LONG)),
                start(settings.withClose(LONG).withCloseTotal(SHORT)),
                last);
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#ofSeveralThreads")
    void aClientThatDoesNotEndItsHandshakeIsClosed(ServerMode mode) throws Exception {
        firstEndsBehindSecond(
                startSecure(mode.settings().withHandshake(LONG)),
                startSecure(mode.settings().withHandshake(SHORT)),
                "");
    }

    private HttpsServer startSecure(HttpServerSettings settings) throws Exception {
        HttpsServer server = new CabrankHttpServerProvider(settings).createHttpsServer(ServerMode.anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
        server.start();
        servers.add(server);
        return server;
    }
}
