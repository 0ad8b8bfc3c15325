package org.cabrank.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that send a request and a close_notify, and then read: the server reads both at once, and answers. */
@Timeout(300)
class CloseNotifyClientsTest {
    private static final SelfSigned CERTIFICATE = TestTls.certificate("localhost", "127.0.0.1");

    /** More than a record and more than a thread's buffer, and no more than the kernel keeps for a socket that is not read. */
    private static final int SENT_BYTES = 100_000;

    @TempDir
    Path directory;

    private final ExecutorService sessions = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        sessions.shutdownNow();
    }

    static List<Arguments> kinds() {
        List<Arguments> kinds = new ArrayList<>();
        for (BackendProvider backend : BackendProvider.installed()) {
            for (int threads : backend.name().equals("epoll") ? new int[] {1, 3} : new int[] {1}) {
                for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
                    kinds.add(Arguments.of(backend, threads, version));
                }
            }
        }
        return kinds;
    }

    private StreamServer start(BackendProvider backend, int threads, Supplier<ConnectionHandler> handlers)
            throws Exception {
        return StreamServer.builder()
                .listen("127.0.0.1", 0)
                .backend(Backend.of(backend))
                .threadsPerShard(threads)
                .handler(Tls.server(CERTIFICATE.context()).build().handlers(handlers))
                .start();
    }

    /** Sends random bytes and a close_notify, has the server continue, and requires the same bytes and a close_notify. */
    private static void assertEchoes(StreamServer server, String version, CountDownLatch sent) throws Exception {
        byte[] bytes = new byte[SENT_BYTES];
        new Random(1).nextBytes(bytes);
        try (SSLSocket socket = (SSLSocket) SelfSigned.trusting(CERTIFICATE.certificate())
                .getSocketFactory()
                .createSocket("127.0.0.1", server.port())) {
            socket.setEnabledProtocols(new String[] {version});
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            sent.countDown();
            assertArrayEquals(bytes, socket.getInputStream().readAllBytes());
        }
    }

    /** Reads nothing until the client has sent everything. */
    private record Paused(CountDownLatch sent, ConnectionHandler next) implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) throws Exception {
            assertTrue(sent.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            next.data(connection, data);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aCallbackAnswers(BackendProvider backend, int threads, String version) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        try (StreamServer server = start(backend, threads, () -> new Paused(sent, TestTls.ECHO))) {
            assertEchoes(server, version, sent);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void offloadedWorkAnswers(BackendProvider backend, int threads, String version) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        ConnectionHandler offloading = (connection, data) -> {
            byte[] copy = new byte[Math.min(5_000, data.remaining())];
            data.get(copy);
            connection.offload(sessions, () -> copy, (own, result) -> own.write(ByteBuffer.wrap(result)));
        };
        try (StreamServer server = start(backend, threads, () -> new Paused(sent, offloading))) {
            assertEchoes(server, version, sent);
        }
    }

    /** The callback lets go of its connection, and another thread meets the close_notify during the wait. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aCallbackThatHasWaitedForAReplyAnswers(BackendProvider backend, int threads, String version) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        ConnectionHandler waiting = (connection, data) -> {
            byte[] copy = new byte[data.remaining()];
            data.get(copy);
            connection.pauseReading(); // answers keep their order
            var reply = connection.<byte[]>newReply();
            sessions.execute(() -> reply.complete(copy));
            connection.write(ByteBuffer.wrap(reply.await(Duration.ofSeconds(120))));
            connection.resumeReading();
        };
        try (StreamServer server = start(backend, threads, () -> new Paused(sent, waiting))) {
            assertEchoes(server, version, sent);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aBlockingSessionAnswers(BackendProvider backend, int threads, String version) throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        Supplier<ConnectionHandler> echoing = BlockingHandlers.of(sessions, session -> {
            assertTrue(sent.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            session.inputStream().transferTo(session.outputStream());
        });
        try (StreamServer server = start(backend, threads, echoing)) {
            assertEchoes(server, version, sent);
        }
    }

    /** Sends a file, and ends when standard input does. */
    @ParameterizedTest
    @MethodSource("kinds")
    void socatIsAnswered(BackendProvider backend, int threads, String version) throws Exception {
        byte[] bytes = new byte[SENT_BYTES];
        new Random(2).nextBytes(bytes);
        Path input = Files.write(directory.resolve("input"), bytes);
        Path output = directory.resolve("output");
        try (StreamServer server = start(backend, threads, () -> TestTls.ECHO)) {
            Process socat;
            try {
                socat = new ProcessBuilder(
                                "socat",
                                "-t30",
                                "-",
                                "OPENSSL:127.0.0.1:" + server.port() + ",verify=0,openssl-max-proto-version="
                                        + version.replace("TLSv", "TLS"))
                        .redirectInput(input.toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
            } catch (IOException missing) {
                assumeTrue(false, "socat is not installed");
                throw missing;
            }
            assertTrue(socat.waitFor(120, TimeUnit.SECONDS), "socat ends");
            assertEquals(0, socat.exitValue());
            assertArrayEquals(bytes, Files.readAllBytes(output));
        }
    }
}
