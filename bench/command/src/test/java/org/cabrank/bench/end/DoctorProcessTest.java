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
import java.util.stream.Stream;
import org.cabrank.bench.cli.CapturedCommand;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cabrank doctor --pid}, with servers and other processes. */
@NewestJdk
@Timeout(300)
final class DoctorProcessTest {
    private static final int CLIENTS = 4;

    @TempDir
    private Path temporary;

    private static JsonNode finding(CapturedCommand found, String id) throws IOException {
        for (JsonNode finding : new ObjectMapper().readTree(found.out()).get("findings")) {
            if (finding.get("id").asText().equals(id)) {
                return finding;
            }
        }
        throw new AssertionError(id + " is not among " + found);
    }

    private static void assertFinding(CapturedCommand found, String id, String severity, String words)
            throws IOException {
        JsonNode finding = finding(found, id);
        assertEquals(severity, finding.get("severity").asText(), finding::toString);
        assertTrue(finding.get("finding").asText().contains(words), finding::toString);
    }

    private static void assertRefused(CapturedCommand found, String words) {
        assertEquals(1, found.status(), found::toString);
        assertEquals("", found.out());
        assertEquals(1, found.err().lines().count(), found::toString);
        assertTrue(found.err().startsWith("cabrank doctor: --pid "), found::toString);
        assertTrue(found.err().contains(words), found::toString);
    }

    /** The command in this JVM, because another one takes a second to start. */
    private static CapturedCommand doctor(long pid, String... more) {
        List<String> arguments = new ArrayList<>(List.of("doctor", "--pid", Long.toString(pid)));
        arguments.addAll(List.of(more));
        return CapturedCommand.run(arguments.toArray(String[]::new));
    }

    /** The command in a JVM of its own, as a user starts it. */
    private CapturedCommand doctorProcess(long pid, String... more) throws IOException, InterruptedException {
        List<String> command = JavaCommand.cabrank("-XX:TieredStopAtLevel=1");
        command.addAll(List.of("doctor", "--pid", Long.toString(pid)));
        command.addAll(List.of(more));
        Path err = temporary.resolve("doctor.err");
        Process doctor = new ProcessBuilder(command).redirectError(err.toFile()).start();
        String out = new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CapturedCommand(doctor.waitFor(), out, Files.readString(err));
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

    static Stream<String> backends() {
        return Long.getLong("cabrank.soak.seconds") == null ? Stream.of("epoll") : Stream.of("epoll", "iouring");
    }

    /** The limits are those of the process: a shell with 4,096 descriptors. */
    @Test
    void settingsThatWillHurtAreSaidAtTheStartAndByTheDoctor() throws Exception {
        List<String> limited = List.of("prlimit", "--nofile=4096:4096");
        try (ServeProcess server = ServeProcess.startUnder(
                limited,
                null,
                serve("--jmx", "--tls", "self-signed", "--threads-per-shard", "1", "--max-connections", "5000")
                        .toArray(String[]::new))) {
            server.address();
            assertTrue(
                    server.readyLine().endsWith("at most 3840 connections (as many as descriptors allow))"),
                    server::readyLine);
            server.awaitError("TLS: a shard has one thread and cannot grow: ");
            server.awaitError("the limit of 5,000 connections is not below that of 4,096 descriptors: ");
            server.awaitError("ulimit -n, LimitNOFILE");
            CapturedCommand found = doctor(server.pid(), "--json", "--observe", "100ms");
            assertFinding(found, "tls-threads", "warning", "a shard has one thread and cannot grow");
            assertFinding(
                    found,
                    "connection-descriptors",
                    "warning",
                    "the limit of 5,000 connections is not below that of 4,096 descriptors");
        }
    }

    @Test
    void aStartSaysWhatWasChosenAndAServerWithoutBeansIsRefusedWithARemedy() throws Exception {
        try (ServeProcess server = start(serve("--max-connections", "100"))) {
            server.address();
            String line = server.readyLine();
            for (String words : List.of(
                    " (echo on epoll, ",
                    "[iouring is not chosen for a shard that grows: epoll is the default there;",
                    "1 shard x 2 to 16 threads as handlers block, ",
                    "not pinned (no --placement), ",
                    "at most 100 connections (--max-connections))")) {
                assertTrue(line.contains(words), line + " has not: " + words);
            }
            assertRefused(
                    doctor(server.pid()),
                    "runs Cabrank, but shows no pools over JMX: start it with serve --jmx, or with"
                            + " jmx(true) of its builder");
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void slowHandlersAreNamedWithTheirPlaceAndTheirEffects(String backend) throws Exception {
        int threads = backend.equals("epoll") ? 3 : 1;
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        try (ServeProcess server = start(serve(
                "--jmx",
                "--backend",
                backend,
                "--threads-per-shard",
                Integer.toString(threads),
                "--slow-permille",
                "1000",
                "--slow-time",
                "500ms"))) {
            int port = server.address().port();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(CompletableFuture.runAsync(() -> request(port), command -> new Thread(command).start()));
            }
            CapturedCommand found = doctor(server.pid(), "--json", "--strict", "--observe", "3s");
            assertEquals(1, found.status(), found::toString);
            assertEquals("", found.err());
            assertFinding(found, "handlers", "warning", "org.cabrank.bench.handler.SlowRequests.");
            assertFinding(found, "handlers", "warning", "cabrank-s0-");
            assertFinding(found, "latency", "warning", "p50 ");
            assertFinding(found, "threads", "warning", "every thread of cabrank-s0");
            // Their number depends on how many leaders promote a successor before their handlers block.
            JsonNode takeovers = finding(found, "takeovers");
            assertEquals(threads == 1, takeovers.get("severity").asText().equals("ok"), takeovers::toString);
            assertFinding(found, "service", "ok", "every pool is served");
            assertFinding(found, "reactor", "ok", "has not failed");
        }
        clients.forEach(CompletableFuture::join);
    }

    @Test
    void idleServerHasNothingToWarnOf() throws Exception {
        try (ServeProcess server = start(serve("--jmx", "--shards", "2", "--tls", "self-signed"))) {
            try (Socket plain = new Socket(
                    InetAddress.getLoopbackAddress(), server.address().port())) {
                plain.getOutputStream().write("no hello\n".getBytes(StandardCharsets.US_ASCII));
                plain.getInputStream().readAllBytes(); // the alert
            }
            CapturedCommand found = doctorProcess(server.pid(), "--strict", "--observe", "200ms");
            assertEquals(0, found.status(), found::toString);
            assertTrue(found.out().contains("ok       service: every pool is served\n"), found::toString);
            assertTrue(found.out().contains("ok       listeners: 1 accepts connections\n"), found::toString);
            assertTrue(found.out().contains(", 1 of 1 since the start, 0 of these by time-out\n"), found::toString);
            assertTrue(found.out().endsWith(" ok\n"), found::toString);
        }
    }

    @Test
    void jvmWithoutCabrankIsRefused() throws Exception {
        assertIdleJvmIsRefused("does not run Cabrank");
    }

    private static void assertIdleJvmIsRefused(String words, String... flags) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), IdleJvm.class.getName()));
        Process idle = new ProcessBuilder(command).start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(idle.getInputStream()))) {
            assertEquals(IdleJvm.READY, out.readLine());
            assertRefused(doctor(idle.pid()), words);
            assertTrue(idle.isAlive());
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    @Test
    void processThatIsNoJvmIsRefusedAndLivesOn() throws Exception {
        Process cat = new ProcessBuilder("cat").start();
        try {
            assertRefused(doctor(cat.pid()), "process " + cat.pid() + " (cat) is no JVM");
            assertTrue(cat.isAlive());
        } finally {
            cat.destroyForcibly().waitFor();
        }
        assertFalse(cat.isAlive());
        assertRefused(doctor(cat.pid()), "there is no process " + cat.pid());
    }

    @Test
    void jvmWhoseAttachingIsDisabledIsRefused() throws Exception {
        assertIdleJvmIsRefused("does not let tools attach: ", "-XX:+DisableAttachMechanism");
    }
}
