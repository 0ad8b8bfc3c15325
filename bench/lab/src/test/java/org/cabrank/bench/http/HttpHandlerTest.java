package org.cabrank.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.http.HttpHandler.HttpTimeLimits;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time limits and the end of a server, over real connections. */
@Timeout(60)
final class HttpHandlerTest {
    private static final long DRIBBLE_NS = 1_000_000;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration NEVER = StreamTimeouts.NEVER;
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void aHeadThatTakesTooLongIsAnsweredWithATimeout() throws Exception {
        try (StreamServer server = serve(new HttpTimeLimits(SHORT, NEVER, NEVER), new AtomicBoolean());
                Socket client = connected(server)) {
            send(client, "GET / HTTP/1.1\r\nX: ");
            expectTimeout(client);
        }
    }

    @Test
    void dribbledBytesDoNotRenewTheTimeOfAHead() throws Exception {
        try (StreamServer server = serve(new HttpTimeLimits(SHORT, NEVER, NEVER), new AtomicBoolean());
                Socket client = connected(server)) {
            // Each byte reaches the server before the next is sent, and the last one comes long after the time.
            send(client, "GET / HTTP/1.1\r\nX: ");
            assertThrows(IOException.class, () -> {
                while (client.getInputStream().available() == 0) {
                    send(client, "x");
                    LockSupport.parkNanos(DRIBBLE_NS); // else the head is too long before its time is over
                }
                expectTimeout(client);
                throw new IOException("the timeout was answered");
            });
        }
    }

    @Test
    void aSecondRequestHasTheWholeTimeAgain() throws Exception {
        try (StreamServer server = serve(new HttpTimeLimits(SHORT, NEVER, NEVER), new AtomicBoolean());
                Socket client = connected(server)) {
            send(client, GET + "GET / HT");
            send(client, "TP/1.1\r\nHost: a\r\n\r\n");
            String both = read(client, 2);
            assertFalse(both.contains("408"), both);
            send(client, "\r\n"); // an empty line begins a head
            expectTimeout(client);
        }
    }

    @Test
    void aBodyThatTakesTooLongIsAnsweredWithATimeout() throws Exception {
        try (StreamServer server = serve(new HttpTimeLimits(NEVER, SHORT, NEVER), new AtomicBoolean());
                Socket client = connected(server)) {
            send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1234");
            expectTimeout(client);
        }
    }

    @Test
    void aClientBetweenTwoRequestsHasNoTimeLimit() throws Exception {
        HttpTimeLimits limits = new HttpTimeLimits(SHORT, SHORT, SHORT);
        try (StreamServer server = serve(limits, new AtomicBoolean());
                Socket client = connected(server);
                Socket slow = connected(server)) {
            send(client, "GET / HTTP/1.1\r\n");
            send(client, "Host: a\r\n\r\n");
            read(client, 1);
            send(slow, "G");
            expectTimeout(slow); // the time has passed for the other one, too
            send(client, GET);
            assertTrue(read(client, 1).startsWith("HTTP/1.1 200 OK\r\n"));
        }
    }

    @Test
    void aClientThatDoesNotTakeItsAnswersIsReset() throws Exception {
        try (StreamServer server = serve(new HttpTimeLimits(NEVER, NEVER, SHORT), new AtomicBoolean());
                Socket client = new Socket()) {
            client.setReceiveBufferSize(4_096);
            client.connect(server.localAddress());
            byte[] requests = GET.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            assertThrows(IOException.class, () -> {
                for (; ; ) {
                    client.getOutputStream().write(requests);
                }
            });
        }
    }

    @Test
    void theLastAnswerBeforeTheEndOfTheServerSaysThatTheConnectionCloses() throws Exception {
        AtomicBoolean draining = new AtomicBoolean();
        try (StreamServer server = serve(HttpTimeLimits.DEFAULT, draining);
                Socket client = connected(server)) {
            send(client, GET);
            assertFalse(read(client, 1).contains("Connection: "));
            draining.set(true);
            send(client, GET + GET);
            String answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            // Requests that come together are all answered; bytes of a stream may also come apart.
            assertEquals(1, answers.split("Connection: close", -1).length - 1, answers);
            assertTrue(answers.endsWith("Hello, World!"), answers);
        }
    }

    @Test
    void theLastAnswerSaysThatTheConnectionClosesThoughItsRequestWasOffloaded() throws Exception {
        AtomicBoolean draining = new AtomicBoolean();
        SlowRequests slow = new SlowRequests(1_000, 0);
        HandlerWork offloaded = new HandlerWork(BusyWork.NONE, slow, HandlerWork.SlowPath.offloadedTo(work -> {
            draining.set(true); // behind the callback
            new Thread(work, "slow request").start();
        }));
        try (StreamServer server = serve(offloaded, HttpTimeLimits.DEFAULT, draining);
                Socket client = connected(server)) {
            client.setSoTimeout(20_000);
            send(client, GET + GET);
            String answers = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(1, answers.split("Connection: close", -1).length - 1, answers);
            assertTrue(answers.endsWith("Hello, World!"), answers);
        }
    }

    private static StreamServer serve(HttpTimeLimits limits, AtomicBoolean draining) throws IOException {
        return serve(HandlerWork.NONE, limits, draining);
    }

    private static StreamServer serve(HandlerWork work, HttpTimeLimits limits, AtomicBoolean draining)
            throws IOException {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.auto())
                .handler(() -> new HttpHandler(work, limits, draining::get))
                .start();
    }

    private static Socket connected(StreamServer server) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.setTcpNoDelay(true);
        return client;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void expectTimeout(Socket client) throws IOException {
        String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("HTTP/1.1 408 Request Timeout\r\n"), answer);
        assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
    }

    /** Reads so many answers to GET. */
    private static String read(Socket client, int answers) throws IOException {
        InputStream in = client.getInputStream();
        StringBuilder text = new StringBuilder();
        for (int found = 0; found < answers; ) {
            int c = in.read();
            assertTrue(c >= 0, () -> "the end, after: " + text);
            text.append((char) c);
            found += text.toString().endsWith("Hello, World!") ? 1 : 0;
        }
        return text.toString();
    }
}
