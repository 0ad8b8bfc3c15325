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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.fixture.ServerThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
final class ServeProcessTest {

    private static final String ANY_PORT = "127.0.0.1:0";

    /** Any user may raise the nice value of a thread; /proc shows the value. */
    @Test
    void serverOfSeveralThreadsHasItsSchedulingAndSigtermAnswersWhatWasReceived() throws Exception {
        // Every request takes 300 ms, so all of them are under way when the signal comes.
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                ANY_PORT,
                "--threads-per-shard",
                "4",
                "--promotion",
                "eager",
                "--set",
                "serve.scheduling=nice:19",
                "--slow-permille",
                "1000",
                "--slow-time",
                "300ms")) {
            int port = server.address().port();
            assertTrue(
                    server.readyLine()
                            .contains(
                                    " [iouring is not chosen for a shard with 4 threads: epoll is the default there; ask for"
                                            + " iouring by name, or use 1 thread per shard], 1 shard x 4 threads"),
                    server::readyLine);
            assertEquals(
                    Map.of("cabrank-s0-0", 19, "cabrank-s0-1", 19, "cabrank-s0-2", 19, "cabrank-s0-3", 19),
                    ServerThreads.niceValues(server.pid()));
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

    /** In this JVM, because another one takes a second to start. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --listen 192.0.2.1:7000 | 192.0.2.1:7000, EADDRNOTAVAIL
                    --listen 127.0.0.1:TAKEN | 127.0.0.1:TAKEN, EADDRINUSE
                    --listen 127.0.0.1:0 --cpus 8191 --set serve.strictPlacement=true | CPU 8191 does not exist on this machine
                    --listen 127.0.0.1:0 --metrics 127.0.0.1:TAKEN | --metrics: cannot listen at 127.0.0.1:TAKEN
                    --listen systemd | start the service by its socket unit
                    """)
    @NewestJdk
    void serverThatCannotStartSaysWhyInOneLine(String options, String words) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            List<String> arguments = new ArrayList<>(List.of("serve", "echo"));
            arguments.addAll(List.of(options.replace("TAKEN", port).split(" ")));
            CapturedCommand serve = CapturedCommand.run(arguments.toArray(String[]::new));
            assertEquals(1, serve.status(), serve::err);
            assertEquals(1, serve.err().lines().count(), serve::err);
            for (String word : words.replace("TAKEN", port).split(", ")) {
                assertTrue(serve.err().contains(word), serve::err);
            }
        }
    }

    /** A supervisor restarts what ends with another status than 0, and nothing that stands there. */
    @ParameterizedTest
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void serverThatTheKernelFailsEndsWithStatusOneAndSaysWhy(String backend) throws Exception {
        String call = backend.equals("epoll") ? "epoll_wait" : "io_uring_enter";
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
                "inject=" + call + ":error=EINVAL:when=20+"); // behind the start of all threads
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
            assertTrue(last.contains("shard 0 cannot continue: " + call + ": EINVAL"), server::errorsOrWhyNot);
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
    @NewestJdk
    void theWatchdogSaysWhereASlowRequestHangsAndTheSecondSignalEndsAtOnce() throws Exception {
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
                "60s",
                "--drain-timeout",
                "60s")) {
            try (Socket client = connected(server.address().port())) {
                client.getOutputStream().write(1);
                server.awaitError("pool cabrank-s0: cabrank-s0-");
                server.awaitError("SlowRequests");
                // The request is being processed for a minute.
                server.terminate();
                server.awaitEnding();
                server.terminate();
                assertEquals(143, server.exitStatus());
                assertTrue(server.errors().contains("ended at once"), server.errors());
            }
        }
    }

    @Test
    void sigintEndsAnIdleServerBehindItsTotals() throws Exception {
        boolean six = hasIpv6();
        try (ServeProcess server = ServeProcess.start(
                null,
                "echo",
                "--listen",
                six ? "[::1]:0" : ANY_PORT,
                "--threads-per-shard",
                "1")) { // so that nobody takes over
            try (Socket client =
                    new Socket(six ? "::1" : "127.0.0.1", server.address().port())) {
                for (int i = 0; i < 3; i++) {
                    client.getOutputStream().write(i);
                    assertEquals(i, client.getInputStream().read());
                }
            }
            server.interrupt();
            assertEquals(0, server.exitStatus());
            assertEquals("", server.errors());
            assertTrue(server.totals().startsWith("served 1 connection, 3 requests, "), server.totals());
            assertTrue(server.totals().endsWith("largest gap none, 0 failures"), server.totals());
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

    private static Socket connected(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static byte[] request(int number) {
        return ("request " + number).getBytes(StandardCharsets.US_ASCII);
    }
}
