package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A ring whose thread has harvested two requests: the answer to the first has reached its client before the handler of the
 * second, which waits for that, returns.
 */
@Timeout(300)
class RingSubmitTest {
    private static final long PATIENCE_S = 120;

    /** Longer than an answer is held back to be submitted with further answers. */
    private static final long SLOW_NS = 2_000_000;

    private static final byte[] REQUEST = {'?'};
    private static final byte[] ANSWER = {'!'};

    private final CountDownLatch gateEntered = new CountDownLatch(1);
    private final CountDownLatch bothSent = new CountDownLatch(1);

    /** The one that has opened the gate, and the first of those behind it. */
    private final CountDownLatch answered = new CountDownLatch(2);

    private final AtomicInteger requests = new AtomicInteger();
    private StreamServer server;

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private interface Wait {
        void before(Connection connection, int request) throws Exception;
    }

    private void serve(Wait wait) throws Exception {
        ConnectionHandler handler = (connection, data) -> {
            data.position(data.limit());
            int request = requests.getAndIncrement();
            if (request == 0) {
                gateEntered.countDown();
                bothSent.await(PATIENCE_S, TimeUnit.SECONDS);
            } else {
                wait.before(connection, request);
            }
            connection.write(ByteBuffer.wrap(ANSWER));
        };
        server = StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.of(new IoUringBackendProvider(TestKernel.any(), RingOptions.DEFAULT)))
                .handler(() -> handler)
                .start();
    }

    private Socket ask() throws IOException {
        Socket client = new Socket();
        client.connect(new InetSocketAddress("127.0.0.1", server.port()));
        client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_S));
        return client;
    }

    /** Both requests lie in their sockets when the handler of another one returns. */
    private void assertFirstAnswerGoesOut() throws Exception {
        try (Socket gate = ask();
                Socket one = ask();
                Socket other = ask()) {
            gate.getOutputStream().write(REQUEST);
            gateEntered.await(PATIENCE_S, TimeUnit.SECONDS);
            one.getOutputStream().write(REQUEST);
            other.getOutputStream().write(REQUEST);
            bothSent.countDown();
            List<FutureTask<byte[]>> answers = List.of(answerTo(one), answerTo(other), answerTo(gate));
            for (FutureTask<byte[]> answer : answers) {
                assertArrayEquals(ANSWER, answer.get());
            }
        }
    }

    private FutureTask<byte[]> answerTo(Socket client) {
        FutureTask<byte[]> answer = new FutureTask<>(() -> {
            byte[] read = client.getInputStream().readNBytes(1);
            answered.countDown();
            return read;
        });
        new Thread(answer, "client").start();
        return answer;
    }

    private void awaitFirstAnswer() throws InterruptedException {
        if (!answered.await(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the answer to the first waits for the second");
        }
    }

    @Test
    void answerDoesNotWaitForTheHandlersBehindASlowOne() throws Exception {
        serve((connection, request) -> {
            if (request == 1) {
                long beganNs = System.nanoTime();
                while (System.nanoTime() - beganNs < SLOW_NS) {
                    Thread.onSpinWait();
                }
            } else {
                awaitFirstAnswer();
            }
        });
        assertFirstAnswerGoesOut();
    }

    @Test
    void answerGoesOutBeforeAHandlerBlocksThatSaysSo() throws Exception {
        serve((connection, request) -> {
            if (request == 2) {
                connection.promoteNewLeader();
                awaitFirstAnswer();
            }
        });
        assertFirstAnswerGoesOut();
    }
}
