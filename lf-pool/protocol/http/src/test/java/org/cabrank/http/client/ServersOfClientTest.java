package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.ServerModes;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The servers that a client keeps connections to: a bounded number, and no request is lost when one is forgotten. */
@Timeout(300)
class ServersOfClientTest {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final EmbeddedServers servers = new EmbeddedServers();
    private final HttpClient client = HttpClient.over(servers).withOptions(HttpClientOptions.DEFAULT.withServersMax(3));

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private ReceivedResponse send(String host) {
        ReceivedResponse response = new ReceivedResponse();
        client.send(HttpCall.get("http://" + host), response);
        return response;
    }

    private void sendAndAnswer(String host, int connection) {
        ReceivedResponse response = send(host);
        servers.connection(connection).peerSends(EMPTY);
        assertTrue(response.isComplete(), host);
    }

    private boolean isOpen(int connection) {
        return !servers.connection(connection).isOutputEnded();
    }

    @Test
    void connectionsToTheServerUsedLongestAgoAreClosed() {
        sendAndAnswer("a", 0);
        sendAndAnswer("b", 1);
        sendAndAnswer("c", 2);
        sendAndAnswer("a", 0); // again, so that b is the one used longest ago
        assertEquals(3, client.servers());
        sendAndAnswer("d", 3);
        assertEquals(3, client.servers());
        assertEquals(List.of(true, false, true, true), List.of(isOpen(0), isOpen(1), isOpen(2), isOpen(3)));
        assertEquals(3, client.connections());
        sendAndAnswer("b", 4);
        assertFalse(isOpen(2));
    }

    @Test
    void serversWithARequestUnderWayAreKept() {
        List<ReceivedResponse> responses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            responses.add(send("h" + i));
        }
        assertEquals(5, client.servers());
        for (int i = 0; i < 5; i++) {
            servers.connection(i).peerSends(EMPTY);
            assertTrue(responses.get(i).isComplete());
        }
        sendAndAnswer("h5", 5); // those that have become idle are too many
        assertEquals(3, client.servers());
        assertEquals(3, client.connections());
    }

    @Test
    void aServerWithoutAConnectionIsForgotten() {
        sendAndAnswer("a", 0);
        servers.connection(0).peerEnds();
        assertTrue(servers.connection(0).isOutputEnded());
        servers.connection(0).awaitIdle();
        assertEquals(0, client.servers());
        sendAndAnswer("a", 1);
        assertEquals(1, client.servers());
    }

    @Test
    void namesOfServersHaveNoCase() {
        sendAndAnswer("a", 0);
        ReceivedResponse again = new ReceivedResponse();
        client.send(HttpCall.get("HTTP://A:80/"), again);
        servers.connection(0).peerSends(EMPTY);
        assertTrue(again.isComplete());
        assertEquals(1, client.servers());
    }

    @Test
    void aBoundBelowOneIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> HttpClientOptions.DEFAULT.withServersMax(0));
    }

    /** Many names of one server, of which the client may keep two: they are forgotten and remembered all the time. */
    @Test
    void noRequestIsLostWhileServersAreForgotten() throws Exception {
        try (StreamServer server =
                        new ServerModes("epoll", 2).start((HttpExchange exchange) -> exchange.send(200, null, "x"));
                HttpClient own = HttpClient.over((host, port, handler) ->
                                server.reactor().connect(server.localAddress(), ConnectOptions.DEFAULT, handler))
                        .withOptions(HttpClientOptions.DEFAULT.withServersMax(2).withConnectionsMax(2))) {
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                SplittableRandom random = new SplittableRandom(i);
                senders.add(CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 300; n++) {
                        HttpCall call = HttpCall.get("http://h" + random.nextInt(8));
                        assertEquals(
                                "x",
                                own.send(call)
                                        .orTimeout(120, TimeUnit.SECONDS)
                                        .join()
                                        .text());
                    }
                }));
            }
            for (CompletableFuture<Void> sender : senders) {
                sender.get(120, TimeUnit.SECONDS);
            }
            assertTrue(own.servers() <= 2 + senders.size(), own.servers() + " servers");
        }
    }
}
