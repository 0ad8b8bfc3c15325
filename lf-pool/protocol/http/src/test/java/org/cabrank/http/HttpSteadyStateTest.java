package org.cabrank.http;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.DataInputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.ChildJvm;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One request at a time: a wait with a time limit, a receive, a request, an answer. Once the compiler is at rest, nothing of it
 * allocates; before, each call of the kernel makes a view of 40 bytes. The test runs in a JVM of its own, because
 * other tests of a JVM decide what its compiler inlines.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class HttpSteadyStateTest {
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final int ROUNDS = 5_000;

    /** Named bound: windows that are looked at before it is said that a round allocates. */
    private static final int WINDOWS_MIN = 100;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void aRoundAllocatesNothing(String backend) throws Exception {
        assumeTrue(SOAK || backend.equals("epoll"), "with the soak tests only");
        ChildJvm.assertOneSays("0 bytes a round", HttpSteadyStateTest.class, backend);
    }

    /** Notes the thread that serves. */
    private static final class Greeting implements HttpHandler {
        private static final HttpAnswer ANSWER = HttpAnswer.text(200, "hello");
        private volatile Thread thread;

        @Override
        public void request(HttpExchange exchange) {
            thread = Thread.currentThread();
            exchange.send(ANSWER);
        }
    }

    /** @param arguments the backend */
    @SuppressWarnings("deprecation") // threadId() is newer than JDK 17
    public static void main(String[] arguments) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        Greeting greeting = new Greeting();
        try (StreamServer server = new ServerModes(arguments[0], 1).start(greeting);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(client.getInputStream());
            client.getOutputStream().write(request);
            StringBuilder answer = new StringBuilder();
            while (!answer.toString().endsWith("hello")) {
                answer.append((char) in.readByte());
            }
            byte[] received = new byte[answer.length()];
            long serving = greeting.thread.getId();
            long perRound = Long.MAX_VALUE;
            long deadlineNs = System.nanoTime() + Await.PATIENCE_NS / 2; // compilers have to share a busy machine
            for (int i = 0; perRound != 0 && (i < WINDOWS_MIN || System.nanoTime() - deadlineNs < 0); i++) {
                long before = threads.getThreadAllocatedBytes(serving);
                exchange(client.getOutputStream(), in, request, received);
                perRound = (threads.getThreadAllocatedBytes(serving) - before) / ROUNDS;
            }
            System.out.println(perRound + " bytes a round");
        }
    }

    private static void exchange(OutputStream out, DataInputStream in, byte[] request, byte[] received)
            throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            out.write(request);
            in.readFully(received);
        }
    }
}
