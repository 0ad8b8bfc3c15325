package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.text.HostPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that hand their listening sockets to the next one, under load: no request fails. */
@NewestJdk
@Timeout(300)
final class HandoverProcessTest {
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final int RESTARTS = Integer.getInteger("cabrank.handover.restarts", SOAK ? 2 : 1);
    private static final int CLIENTS_OF_EACH_KIND = 4;

    @TempDir
    private Path directory;

    private ServeProcess start(int port, String... arguments) throws IOException {
        String[] serve = arguments(port, arguments);
        return ServeProcess.start(null, Arrays.copyOfRange(serve, 1, serve.length));
    }

    private String[] arguments(int port, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "serve",
                "http",
                "--listen",
                "127.0.0.1:" + port,
                "--handover",
                directory.resolve("handover").toString()));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void noRequestFailsWhileServersReplaceEachOtherAndTheMetricsPageMoves(String backend) throws Exception {
        String threads = backend.equals("epoll") ? "2" : "1";
        replaceEachOther("--backend", backend, "--threads-per-shard", threads, "--metrics", "127.0.0.1:0");
    }

    static Stream<String> socketForEachShard() {
        return SOAK ? Stream.of("reuseport", "reuseport-cpu") : Stream.of("reuseport");
    }

    /** Each shard of the first server has a socket of its own; the next server accepts from all of them in each shard. */
    @ParameterizedTest
    @MethodSource("socketForEachShard")
    void noRequestFailsWhileServersWithASocketForEachShardReplaceEachOther(String accept) throws Exception {
        replaceEachOther("--backend", "epoll", "--shards", "2", "--accept", accept);
    }

    private void replaceEachOther(String... arguments) throws Exception {
        ServeProcess server = start(0, arguments);
        try {
            int port = server.address().port();
            String page = List.of(arguments).contains("--metrics") ? server.nextLine() : null;
            if (page != null) {
                arguments[arguments.length - 1] = page.substring("metrics on ".length());
            }
            CheckedClients clients = CheckedClients.get(port, CLIENTS_OF_EACH_KIND);
            for (int i = 0; i < RESTARTS; i++) {
                clients.awaitProgress();
                ServeProcess next = start(port, arguments);
                try {
                    assertEquals(port, next.address().port());
                    if (page != null) {
                        assertEquals(page, next.nextLine());
                    }
                    assertEquals(0, server.exitStatus());
                    server.awaitError("another process has taken the listening sockets: this one drains");
                } finally {
                    server.close();
                    server = next;
                }
            }
            clients.awaitProgress();
            clients.end();
            if (page != null) {
                assertHealthy(HostPort.parse(arguments[arguments.length - 1]));
            }
            server.terminate();
            assertEquals(0, server.exitStatus());
        } finally {
            server.close();
        }
    }

    private static void assertHealthy(HostPort metrics) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), metrics.port())) {
            socket.getOutputStream().write("GET /health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
        }
    }

    /** The servers that fail are commands in this JVM, because another one takes a second to start. */
    @Test
    void serverThatFailsToStartLeavesTheFormerOneInCharge() throws Exception {
        try (ServeProcess server = start(0)) {
            int port = server.address().port();
            CapturedCommand elsewhere = CapturedCommand.run(arguments(port == 1 ? 2 : 1));
            assertEquals(1, elsewhere.status(), elsewhere::err);
            assertTrue(
                    elsewhere.err().contains("the server that is to be replaced listens on 127.0.0.1:" + port),
                    elsewhere::err);
            server.awaitError("a process that was to replace this one did not: it has ended, or failed to start;");
            assertTrue(CapturedCommand.run(arguments(port, "--cpus", "9999")).status() != 0);
            CheckedClients clients = CheckedClients.get(port, CLIENTS_OF_EACH_KIND);
            clients.awaitProgress();
            clients.end();
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }
}
