package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that hand their listening sockets to the next one, under load: no request fails. */
@Timeout(300)
final class HandoverProcessTest {
    private static final int RESTARTS = Integer.getInteger("cabrank.handover.restarts", 3);
    private static final int CLIENTS_OF_EACH_KIND = 4;

    @TempDir
    private Path directory;

    private ServeProcess start(int port, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "http",
                "--listen",
                "127.0.0.1:" + port,
                "--handover",
                directory.resolve("handover").toString()));
        all.addAll(List.of(arguments));
        return ServeProcess.start(null, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void noRequestFailsWhileServersReplaceEachOther(String backend) throws Exception {
        ServeProcess server = start(0, "--backend", backend, "--threads-per-shard", "2");
        try {
            int port = server.address().port();
            Clients clients = new Clients(port);
            for (int i = 0; i < RESTARTS; i++) {
                clients.awaitProgress();
                ServeProcess next = start(port, "--backend", backend, "--threads-per-shard", "2");
                try {
                    assertEquals(port, next.address().port());
                    assertEquals(0, server.exitStatus());
                    server.awaitError("another process has taken the listening sockets: this one drains");
                } finally {
                    server.close();
                    server = next;
                }
            }
            clients.awaitProgress();
            clients.end();
            server.terminate();
            assertEquals(0, server.exitStatus());
        } finally {
            server.close();
        }
    }

    @Test
    void serverThatFailsToStartLeavesTheFormerOneInCharge() throws Exception {
        try (ServeProcess server = start(0)) {
            int port = server.address().port();
            try (ServeProcess elsewhere = start(port == 1 ? 2 : 1)) {
                assertEquals(1, elsewhere.exitStatus());
                assertTrue(
                        elsewhere.errors().contains("the server that is to be replaced listens on 127.0.0.1:" + port),
                        elsewhere.errors());
            }
            server.awaitError("a process that was to replace this one did not: it has ended, or failed to start;");
            try (ServeProcess wrong = start(port, "--cpus", "9999")) {
                assertTrue(wrong.exitStatus() != 0);
            }
            Clients clients = new Clients(port);
            clients.awaitProgress();
            clients.end();
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }

    /** Clients that check every answer. Half of them keep their connection until the server asks them to close it. */
    private static final class Clients {
        private static final String ANSWER = "Hello, World!";

        private final int port;
        private final AtomicBoolean enough = new AtomicBoolean();
        private final AtomicLong answers = new AtomicLong();
        private final List<CompletableFuture<Void>> running = new ArrayList<>();

        Clients(int port) {
            this.port = port;
            for (int i = 0; i < CLIENTS_OF_EACH_KIND; i++) {
                run(true);
                run(false);
            }
        }

        private void run(boolean keep) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            running.add(done);
            new Thread(() -> {
                        try {
                            while (!enough.get()) {
                                connection(keep);
                            }
                            done.complete(null);
                        } catch (Throwable failed) {
                            done.completeExceptionally(failed);
                        }
                    })
                    .start();
        }

        private void connection(boolean keep) throws IOException {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                boolean more = true;
                while (more) {
                    more = keep && !enough.get();
                    String head = "GET / HTTP/1.1\r\nHost: x\r\n" + (more ? "" : "Connection: close\r\n") + "\r\n";
                    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                    String answer = answer(socket.getInputStream());
                    assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n") && answer.endsWith(ANSWER), answer);
                    more &= !answer.contains("Connection: close\r\n");
                    answers.incrementAndGet();
                }
            }
        }

        private static String answer(InputStream in) throws IOException {
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            while (!read.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n" + ANSWER)) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("answer so far: " + read.toString(StandardCharsets.US_ASCII));
                }
                read.write(next);
            }
            return read.toString(StandardCharsets.US_ASCII);
        }

        /** Waits until clients have got some more answers, and fails if one has failed. */
        void awaitProgress() {
            long wanted = answers.get() + 20;
            while (answers.get() < wanted) {
                running.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
                Thread.onSpinWait();
            }
        }

        void end() {
            enough.set(true);
            running.forEach(CompletableFuture::join);
        }
    }
}
