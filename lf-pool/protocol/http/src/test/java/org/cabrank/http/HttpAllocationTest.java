package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.DataInputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.cabrank.http.message.HttpFields;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that are answered in their callbacks allocate nothing in steady state, on each backend with one thread. */
@Timeout(300)
class HttpAllocationTest {
    private static final int ROUNDS = 400;
    private static final int[] BATCHES = {1, 25};

    static Stream<ServerModes> modes() {
        return ServerModes.all().filter(mode -> mode.threads() == 1);
    }

    /** Reads bodies, looks at fields, and answers with a prepared answer. */
    private static final class Frugal implements HttpHandler, HttpBody {
        private static final HttpAnswer ANSWER = HttpAnswer.text(200, "hello");
        volatile long thread;
        private long seen;

        @Override
        public void request(HttpExchange exchange) {
            thread = ownId();
            if (exchange.method().equals("GET") && exchange.path().startsWith("/")) {
                seen += exchange.fields().first("user-agent").length();
                exchange.send(ANSWER);
            } else {
                exchange.body(this);
            }
        }

        @SuppressWarnings("deprecation") // threadId() is newer than JDK 17
        private static long ownId() {
            return Thread.currentThread().getId();
        }

        @Override
        public void data(HttpExchange exchange, ByteBuffer bytes) {
            seen += bytes.remaining();
        }

        @Override
        public void end(HttpExchange exchange, HttpFields trailers) {
            exchange.send(ANSWER);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void requestsAllocateNothing(ServerModes mode) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Frugal handler = new Frugal();
        String both = "GET /a HTTP/1.1\r\nHost: a\r\nUser-Agent: test\r\n\r\n"
                + "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        try (StreamServer server = mode.start(handler);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            client.getOutputStream().write(both.getBytes(StandardCharsets.US_ASCII));
            StringBuilder answers = new StringBuilder();
            while (!answers.toString().matches("(?s).*hello.*hello")) {
                answers.append((char) in.readByte());
            }
            int length = answers.length(); // the answers of a second are as long as those of another
            long[] bytes = new long[2];
            for (int i = 0; i < bytes.length; i++) {
                byte[] requests = both.repeat(BATCHES[i]).getBytes(StandardCharsets.US_ASCII);
                byte[] received = new byte[length * BATCHES[i]];
                exchange(client, in, requests, received);
                long before = threads.getThreadAllocatedBytes(handler.thread);
                exchange(client, in, requests, received);
                bytes[i] = threads.getThreadAllocatedBytes(handler.thread) - before;
            }
            // A round costs system calls, which may allocate; requests that come together cost no more than one.
            long requests = 2L * ROUNDS * (BATCHES[1] - BATCHES[0]);
            assertTrue(bytes[1] - bytes[0] < requests, bytes[1] + " bytes, with fewer requests " + bytes[0]);
        }
    }

    private static void exchange(Socket client, DataInputStream in, byte[] requests, byte[] received) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            client.getOutputStream().write(requests);
            in.readFully(received);
        }
    }
}
