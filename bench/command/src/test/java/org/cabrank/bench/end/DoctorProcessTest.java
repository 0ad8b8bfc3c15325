package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cabrank doctor --pid}, with servers and other processes. */
@NewestJdk
@Timeout(180)
final class DoctorProcessTest {
    private static final int CLIENTS = 4;

    @TempDir
    private Path temporary;

    /** Result of a command. */
    private record Outcome(int status, String out, String err) {
        JsonNode finding(String id) throws IOException {
            for (JsonNode finding : new ObjectMapper().readTree(out).get("findings")) {
                if (finding.get("id").asText().equals(id)) {
                    return finding;
                }
            }
            throw new AssertionError(id + " is not among " + out + err);
        }

        void assertFinding(String id, String severity, String words) throws IOException {
            JsonNode finding = finding(id);
            assertEquals(severity, finding.get("severity").asText(), finding::toString);
            assertTrue(finding.get("finding").asText().contains(words), finding::toString);
        }

        void assertRefused(String words) {
            assertEquals(1, status, out + err);
            assertEquals("", out);
            assertEquals(1, err.lines().count(), err);
            assertTrue(err.startsWith("cabrank doctor: --pid "), err);
            assertTrue(err.contains(words), err);
        }
    }

    private Outcome doctor(long pid, String... more) throws IOException, InterruptedException {
        List<String> command = JavaCommand.cabrank("-Xshare:auto", "-XX:TieredStopAtLevel=1");
        command.addAll(List.of("doctor", "--pid", Long.toString(pid)));
        command.addAll(List.of(more));
        Path err = temporary.resolve("doctor.err");
        Process doctor = new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(doctor.waitFor(), out, Files.readString(err));
    }

    private static List<String> serve(String... more) {
        List<String> arguments = new ArrayList<>(List.of("echo", "--listen", "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private static ServeProcess start(List<String> arguments) throws IOException {
        return ServeProcess.start(null, arguments.toArray(String[]::new));
    }

    /** Sends requests on one connection until the server ends. */
    private static void request(int port) {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            while (true) {
                client.getOutputStream().write(1);
                if (client.getInputStream().read() < 0) {
                    return;
                }
            }
        } catch (IOException ended) {
            // with the server
        }
    }

    @ParameterizedTest
    @CsvSource({"epoll, 1", "epoll, 3", "iouring, 1", "iouring, 3"})
    void slowHandlersAreNamedWithTheirPlaceAndTheirEffects(String backend, int threads) throws Exception {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        try (ServeProcess server = start(serve(
                "--jmx",
                "--latency",
                "--backend",
                backend,
                "--threads-per-shard",
                Integer.toString(threads),
                "--slow-permille",
                "1000",
                "--slow-time",
                "200ms"))) {
            int port = server.address().port();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(CompletableFuture.runAsync(() -> request(port), command -> new Thread(command).start()));
            }
            Outcome found = doctor(server.pid(), "--json", "--strict", "--observe", "2s");
            assertEquals(1, found.status(), found::toString);
            assertEquals("", found.err());
            found.assertFinding("handlers", "warning", "org.cabrank.bench.handler.SlowRequests.");
            found.assertFinding("handlers", "warning", "cabrank-s0-");
            found.assertFinding("latency", "warning", "p50 ");
            found.assertFinding("threads", "warning", "every thread of cabrank-s0");
            found.assertFinding("takeovers", threads == 1 ? "ok" : "warning", "takeovers");
            found.assertFinding("service", "ok", "every pool is served");
            found.assertFinding("reactor", "ok", "has not failed");
        }
        clients.forEach(CompletableFuture::join);
    }

    @Test
    void idleServerHasNothingToWarnOf() throws Exception {
        try (ServeProcess server = start(serve("--jmx", "--latency", "--shards", "2"))) {
            server.address();
            Outcome found = doctor(server.pid(), "--strict", "--observe", "200ms");
            assertEquals(0, found.status(), found::toString);
            assertTrue(found.out().contains("ok       service: every pool is served\n"), found::toString);
            assertTrue(found.out().endsWith(" ok\n"), found::toString);
        }
    }

    @Test
    void serverThatShowsNoBeansIsToldHow() throws Exception {
        try (ServeProcess server = start(serve())) {
            server.address();
            doctor(server.pid())
                    .assertRefused("runs Cabrank, but shows no pools over JMX: start it with serve --jmx, or with"
                            + " jmx(true) of its builder");
        }
    }

    @Test
    void jvmWithoutCabrankIsRefused() throws Exception {
        Process idle = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdleJvm.class.getName())
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(idle.getInputStream()))) {
            assertEquals(IdleJvm.READY, out.readLine());
            doctor(idle.pid()).assertRefused("JVM " + idle.pid() + " does not run Cabrank");
            assertTrue(idle.isAlive());
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    @Test
    void processThatIsNoJvmIsRefusedAndLivesOn() throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        try {
            doctor(cat.pid()).assertRefused("process " + cat.pid() + " (cat) is no JVM");
            assertTrue(cat.isAlive());
        } finally {
            cat.destroyForcibly().waitFor();
        }
        assertFalse(cat.isAlive());
        doctor(cat.pid()).assertRefused("there is no process " + cat.pid());
    }

    @Test
    void jvmWhoseAttachingIsDisabledIsRefused() throws Exception {
        try (ServeProcess server = ServeProcess.startUnder(
                List.of("env", "JAVA_TOOL_OPTIONS=-XX:+DisableAttachMechanism"),
                null,
                serve("--jmx").toArray(String[]::new))) {
            server.address();
            doctor(server.pid()).assertRefused("does not let tools attach: ");
        }
    }
}
