package org.cabrank.bench.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.cabrank.bench.http.HelloHandler;
import org.cabrank.http.Http;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slow requests that are handed away, by a server of one thread. */
@Timeout(300)
class OffloadedSlownessTest {
    private static final int PATIENCE_MS = 120_000;

    private final BlockingQueue<Runnable> handedAway = new LinkedBlockingQueue<>();

    private static HandlerWork alwaysSlow(Executor slowOn) {
        return new HandlerWork(BusyWork.NONE, new SlowRequests(1_000, 1), HandlerWork.SlowPath.offloadedTo(slowOn));
    }

    private static StreamServer serve(Supplier<ConnectionHandler> handler) throws IOException {
        return StreamServer.builder()
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .handler(handler)
                .start();
    }

    private static Socket client(StreamServer server) throws IOException {
        Socket client = new Socket();
        client.connect(server.localAddress());
        client.setSoTimeout(PATIENCE_MS);
        return client;
    }

    @Test
    void oneThreadHasTheSlowRequestsOfAllItsConnectionsUnderWayAtOnce() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (StreamServer server = serve(() -> new EchoHandler(alwaysSlow(handedAway::add)))) {
            for (int i = 0; i < 8; i++) {
                Socket client = client(server);
                clients.add(client);
                client.getOutputStream().write(i);
            }
            List<Runnable> works = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                works.add(handedAway.take()); // a thread that blocked in the first would never reach the second
            }
            works.forEach(Runnable::run);
            for (int i = 0; i < 8; i++) {
                assertEquals(i, clients.get(i).getInputStream().read());
                clients.get(i).close();
            }
        }
    }

    @Test
    void pipelinedHttpRequestsAreAnsweredOneAfterTheOther() throws Exception {
        try (StreamServer server = serve(Http.server(new HelloHandler(alwaysSlow(handedAway::add))));
                Socket client = client(server)) {
            String request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
            String last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write((request + request + last).getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 3; i++) {
                handedAway.take().run();
            }
            String answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(3, answers.split("Hello, World!", -1).length - 1, answers);
            assertTrue(handedAway.isEmpty());
        }
    }

    @Test
    void executorWithoutRoomMakesTheHandlerBlock() throws Exception {
        Executor full = work -> {
            throw new RejectedExecutionException("full");
        };
        try (StreamServer server = serve(() -> new EchoHandler(alwaysSlow(full)));
                Socket client = client(server)) {
            client.getOutputStream().write(7);
            assertEquals(7, client.getInputStream().read());
        }
    }

    @Test
    void aHandlerThatPromotesALeaderAnswersAfterItHasBlocked() throws Exception {
        HandlerWork promoting =
                new HandlerWork(BusyWork.NONE, new SlowRequests(1_000, 1), HandlerWork.SlowPath.promoting());
        try (StreamServer server = serve(() -> new EchoHandler(promoting));
                Socket client = client(server)) {
            client.getOutputStream().write('a');
            assertEquals('a', client.getInputStream().read());
        }
    }
}
