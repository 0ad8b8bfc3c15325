package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.fixture.ServerThreads;
import org.cabrank.bench.serve.CpuLatencyRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
final class ServeProcessTest {

    private static final String ANY_PORT = "127.0.0.1:0";

    @Test
    void sigtermAnswersWhatWasReceivedAndEndsWithStatusZero() throws Exception {
        // Every request takes 300 ms, so all of them are under way when the signal comes.
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--backend",
                "epoll",
                "--threads-per-shard",
                "4",
                "--promotion",
                "eager",
                "--slow-permille",
                "1000",
                "--slow-time",
                "300ms")) {
            int port = server.address().port();
            List<Socket> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(connected(port));
            }
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i).getOutputStream().write(request(i));
            }
            server.terminate();
            for (int i = 0; i < clients.size(); i++) {
                assertArrayEquals(request(i), clients.get(i).getInputStream().readAllBytes());
                clients.get(i).close();
            }
            assertEquals(0, server.exitStatus());
            assertEquals("", server.errors());
        }
    }

    @Test
    @NewestJdk
    void theWatchdogSaysWhereASlowRequestHangs() throws Exception {
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--watchdog",
                "20ms",
                "--slow-permille",
                "1000",
                "--slow-time",
                "60s")) {
            try (Socket client = connected(server.address().port())) {
                client.getOutputStream().write(1);
                server.awaitError("pool cabrank-s0: cabrank-s0-");
                server.awaitError("SlowRequests");
            }
        }
    }

    @Test
    @NewestJdk
    void serverOfSeveralThreadsSaysWhyItRunsOverEpoll() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, "echo", "--listen", ANY_PORT, "--threads-per-shard", "2")) {
            server.address();
            assertTrue(
                    server.readyLine()
                            .contains(
                                    " [iouring cannot serve a shard with 2 threads: the kernel lets only one thread use a ring;"
                                            + " use 1 thread per shard, or epoll], 1 shard x 2 threads"),
                    server::readyLine);
        }
    }

    @Test
    @NewestJdk
    void ringThatIsAskedForWithSeveralThreadsIsRefused() throws Exception {
        try (ServeProcess server = ServeProcess.start(
                null, "echo", "--listen", ANY_PORT, "--backend", "iouring", "--threads-per-shard", "2")) {
            assertEquals(1, server.exitStatus());
            String errors = server.errors();
            assertTrue(
                    errors.contains(
                            "iouring cannot serve a shard with 2 threads: the kernel lets only one thread use a ring;"),
                    errors);
        }
    }

    /** Niceness is for everybody to raise; what the kernel shows for the process's threads is what they have. */
    @Test
    @NewestJdk
    void poolThreadsGetTheirScheduling() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, "echo", "--listen", ANY_PORT, "--scheduling", "nice:19")) {
            server.address();
            assertEquals(Map.of("cabrank-s0-0", 19, "cabrank-s0-1", 19), ServerThreads.niceValues(server.pid()));
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }

    @Test
    @NewestJdk
    void latencyOfCpusIsLimitedWhileTheServerRuns() throws Exception {
        assumeTrue(Files.isWritable(CpuLatencyRequest.DEVICE), "there is no such device, or it takes another user");
        try (ServeProcess server =
                ServeProcess.start(null, "echo", "--listen", ANY_PORT, "--cpu-dma-latency", "2000s")) {
            server.address();
            assertTrue(opened(server.pid()).contains(CpuLatencyRequest.DEVICE.toString()));
            server.terminate();
            assertEquals(0, server.exitStatus());
        }
    }

    private static List<String> opened(long pid) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return descriptors.map(ServeProcessTest::target).toList();
        }
    }

    /** Empty for a descriptor that is closed by now. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    /** A supervisor restarts what ends with another status than 0, and nothing that stands there. */
    @ParameterizedTest
    @CsvSource({"epoll,epoll_wait", "iouring,io_uring_enter"})
    void serverThatTheKernelFailsEndsWithStatusOneAndSaysWhy(String backend, String call) throws Exception {
        assumeTrue(CanTrace.HERE, "strace is not installed, or may not trace here");
        List<String> fault = List.of(
                "strace",
                "-D",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=" + call,
                "-e",
                "inject=" + call + ":error=EINVAL:when=4+");
        try (ServeProcess server =
                ServeProcess.startUnder(fault, null, "echo", "--listen", ANY_PORT, "--backend", backend)) {
            try (Socket client = connected(server.address().port())) {
                while (client.isConnected()) {
                    client.getOutputStream().write(1);
                    if (client.getInputStream().read() < 0) {
                        break;
                    }
                }
            } catch (IOException reset) {
                // as it is to be
            }
            assertEquals(1, server.exitStatus());
            String last = server.errors().lines().reduce((before, line) -> line).orElseThrow();
            assertTrue(last.contains("shard 0 cannot go on: " + call + ": EINVAL"), server::errorsOrWhyNot);
            assertTrue(last.contains("restart the server"), server::errorsOrWhyNot);
        }
    }

    /** Runs strace once, and keeps the result: true if it works here. */
    private static final class CanTrace {
        static final boolean HERE = tries();

        private static boolean tries() {
            try {
                return new ProcessBuilder("strace", "-qq", "-o", "/dev/null", "true")
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException missing) {
                return false;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    @Test
    void sigintEndsAnIdleServerWithStatusZero() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, "http", "--listen", ANY_PORT)) {
            server.address();
            server.interrupt();
            assertEquals(0, server.exitStatus());
        }
    }

    @Test
    @NewestJdk
    void theSecondSignalEndsAtOnceAndSaysSo() throws Exception {
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--slow-permille",
                "1000",
                "--slow-time",
                "60s",
                "--drain-timeout",
                "60s")) {
            try (Socket client = connected(server.address().port())) {
                client.getOutputStream().write(1);
                // The request is being processed for a minute; whether it has been read yet makes no difference.
                server.terminate();
                server.awaitEnding();
                server.terminate();
                assertEquals(143, server.exitStatus());
                assertTrue(server.errors().contains("ended at once"), server.errors());
            }
        }
    }

    @Test
    @NewestJdk
    void aPortInUseIsNamedInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServeProcess server =
                        ServeProcess.start(null, "echo", "--listen", "127.0.0.1:" + taken.getLocalPort())) {
            assertEquals(1, server.exitStatus());
            assertOneLine(server, "127.0.0.1:" + taken.getLocalPort(), "EADDRINUSE");
        }
    }

    @Test
    @NewestJdk
    void anAddressOfAnotherHostIsNamedInOneLine() throws Exception {
        // TEST-NET-1: no host has it.
        try (ServeProcess server = ServeProcess.start(null, "echo", "--listen", "192.0.2.1:7000")) {
            assertEquals(1, server.exitStatus());
            assertOneLine(server, "192.0.2.1:7000", "EADDRNOTAVAIL");
        }
    }

    @Test
    @NewestJdk
    void httpAnswersOverAnIpv6Address() throws Exception {
        assumeTrue(hasIpv6(), "this machine has no ::1");
        try (ServeProcess server = ServeProcess.start(null, "http", "--listen", "[::1]:0")) {
            int port = server.address().port();
            try (Socket client = new Socket("::1", port)) {
                client.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
                assertTrue(answer.endsWith("\r\n\r\nHello, World!"), answer);
            }
        }
    }

    private static boolean hasIpv6() {
        try (ServerSocket any = new ServerSocket()) {
            any.bind(new InetSocketAddress("::1", 0));
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void assertOneLine(ServeProcess server, String... words) throws IOException {
        String errors = server.errors();
        assertEquals(1, errors.lines().count(), errors);
        for (String word : words) {
            assertTrue(errors.contains(word), errors);
        }
    }

    private static Socket connected(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static byte[] request(int number) {
        return ("request " + number).getBytes(StandardCharsets.US_ASCII);
    }
}
