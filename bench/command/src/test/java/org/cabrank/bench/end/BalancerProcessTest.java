package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.end.CheckedClients.FailedRequest;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers behind HAProxy with the configuration of scripts/haproxy: no request is lost but those of a server that is killed. */
@Once
@Timeout(300)
final class BalancerProcessTest {
    private static final Path CONFIGURATION =
            Path.of("").toAbsolutePath().getParent().getParent().resolve("scripts/haproxy/haproxy.cfg");

    private static final String CLUSTER = "cabrank";
    private static final String ALL_SERVERS = "BACKEND";
    private static final List<String> NAMES = List.of("one", "two", "three");
    private static final List<String> BACKENDS = List.of("iouring", "epoll", "epoll");

    /** Is restarted, and HAProxy takes it out before; scripts/test-operations restarts more often, over epoll. */
    private static final int RESTARTED = 0;

    private static final int KILLED = 1;
    private static final int HANDED_OVER = 2;
    private static final int CLIENTS_OF_EACH_KIND = 3;
    private static final int DRAIN_DELAY_S = 1;

    /** Ports below those that the kernel chooses by default, so that no client takes the port of a server that restarts. */
    private static final int PORT_LEAST = 10_000;

    private static final int PORT_MOST = 30_000;

    @TempDir
    private Path directory;

    private final List<ServeProcess> servers = new ArrayList<>(Arrays.asList(null, null, null));
    private final int[] ports = new int[NAMES.size()];
    private final int[] metrics = new int[NAMES.size()];
    private int port;
    private int table;

    @BeforeEach
    void requireHaproxy() {
        assumeTrue(Haproxy.program().isPresent(), "haproxy was not found; on Debian: apt-get install haproxy");
    }

    @Test
    void theConfigurationHasNoWarnings() throws Exception {
        assertEquals("", Haproxy.check(CONFIGURATION));
    }

    @InSoak
    @Test
    void noRequestFailsWhileServersAreRestartedAndReplacedAndOnlyThoseOfAServerThatIsKilled() throws Exception {
        choosePorts();
        try {
            for (int i = 0; i < NAMES.size(); i++) {
                start(i);
            }
            for (int i = 0; i < NAMES.size(); i++) {
                awaitReady(i);
            }
            Path socket = directory.resolve("admin.sock");
            try (Haproxy haproxy = Haproxy.start(configured(socket), socket, directory.resolve("haproxy.log"))) {
                Process wrk = wrk();
                try {
                    restartAndReplace(haproxy);
                    killOne(haproxy);
                    requireNoErrors(wrk);
                } finally {
                    if (wrk != null) {
                        wrk.destroyForcibly();
                    }
                }
            }
            servers.forEach(ServeProcess::terminate);
            for (ServeProcess server : servers) {
                awaitEnd(server);
            }
        } finally {
            for (ServeProcess server : servers) {
                if (server != null) {
                    server.close();
                }
            }
        }
    }

    private void restartAndReplace(Haproxy haproxy) throws Exception {
        CheckedClients gets = CheckedClients.get(port, CLIENTS_OF_EACH_KIND);
        CheckedClients posts = CheckedClients.post(port, CLIENTS_OF_EACH_KIND);
        gets.awaitProgress();
        posts.awaitProgress();
        long begunNs = System.nanoTime();
        servers.get(RESTARTED).terminate();
        haproxy.awaitStatus(CLUSTER, NAMES.get(RESTARTED), "DOWN");
        long takenOutNs = System.nanoTime() - begunNs;
        awaitEnd(servers.get(RESTARTED));
        start(RESTARTED);
        awaitReady(RESTARTED);
        haproxy.awaitStatus(CLUSTER, NAMES.get(RESTARTED), "UP");
        replace(HANDED_OVER);
        gets.awaitProgress();
        posts.awaitProgress();
        assertEquals("UP", haproxy.statistics(CLUSTER, NAMES.get(HANDED_OVER)).get("status"));
        posts.end();
        gets.end();
        // HAProxy has taken the server out before the server stopped to accept, unless this machine was too busy for
        // its
        // checks.
        if (takenOutNs < TimeUnit.SECONDS.toNanos(DRAIN_DELAY_S)) {
            assertEquals(
                    0,
                    haproxy.count(CLUSTER, ALL_SERVERS, "econ", "eresp", "wretr", "wredis"),
                    "connections and answers that failed, retries, redispatches");
        }
    }

    /** Has a new process take the sockets of a server. */
    private void replace(int index) throws Exception {
        ServeProcess former = servers.set(index, null);
        try {
            start(index);
            awaitReady(index);
            awaitEnd(former);
        } finally {
            former.close();
        }
    }

    private void killOne(Haproxy haproxy) throws Exception {
        CheckedClients gets = CheckedClients.get(port, CLIENTS_OF_EACH_KIND);
        CheckedClients posts = CheckedClients.post(port, CLIENTS_OF_EACH_KIND);
        gets.awaitProgress();
        posts.awaitProgress();
        while (haproxy.count(CLUSTER, NAMES.get(KILLED), "scur") == 0) {
            Thread.onSpinWait();
        }
        servers.get(KILLED).signal("KILL");
        servers.get(KILLED).exitStatus();
        long killedNs = System.nanoTime();
        haproxy.awaitStatus(CLUSTER, NAMES.get(KILLED), "DOWN");
        gets.awaitAnswers();
        posts.awaitAnswers();
        start(KILLED);
        awaitReady(KILLED);
        haproxy.awaitStatus(CLUSTER, NAMES.get(KILLED), "UP");
        gets.awaitAnswers();
        posts.awaitAnswers();
        posts.stop();
        gets.end(); // each GET that the server had taken was sent again
        for (FailedRequest failed : posts.failed()) {
            // HAProxy answers a first request, and closes the connection of a later one, so that the client decides. A
            // client may have more than one that fails: the kernel closes the descriptors of a killed process in turn.
            // So
            // the listener of the process may still take a connection after an earlier connection was closed.
            assertTrue(
                    failed.outcome().startsWith("HTTP/1.1 502 ")
                            || failed.outcome().endsWith("EOFException: head so far: "),
                    failed.toString());
            assertTrue(failed.begunNs() - killedNs < 0, () -> "a request sent after the end of the server: " + failed);
        }
        assertTrue(haproxy.count(CLUSTER, ALL_SERVERS, "eresp", "wretr", "wredis") > 0, "nothing was under way");
    }

    /** Starts a server, in place of one that has ended. */
    private void start(int index) throws IOException {
        if (servers.get(index) != null) {
            servers.get(index).close();
        }
        List<String> arguments = new ArrayList<>(List.of(
                "http",
                "--listen",
                "127.0.0.1:" + ports[index],
                "--backend",
                BACKENDS.get(index),
                "--metrics",
                "127.0.0.1:" + metrics[index],
                "--proxy-protocol",
                "--drain-delay",
                DRAIN_DELAY_S + "s",
                // Requests that are under way when a server ends.
                "--slow-permille",
                "300",
                "--slow-time",
                "100ms"));
        if (index == HANDED_OVER) {
            arguments.addAll(List.of("--handover", directory.resolve("handover").toString()));
        }
        servers.set(index, ServeProcess.start(null, arguments.toArray(String[]::new)));
    }

    private void awaitReady(int index) throws IOException {
        assertEquals(ports[index], servers.get(index).address().port());
        assertEquals(
                "metrics on 127.0.0.1:" + metrics[index], servers.get(index).nextLine());
    }

    /** Waits for the end of a server, and checks that it had no trouble. */
    private static void awaitEnd(ServeProcess server) throws Exception {
        assertEquals(0, server.exitStatus());
        assertEquals(
                List.of(),
                server.errors()
                        .lines()
                        .filter(line -> !line.startsWith("SLF4J(W): ") && !line.contains(" INFO "))
                        .toList());
        String totals = server.totals();
        assertTrue(totals.contains(", PROXY headers ") && !totals.contains(", PROXY headers 0,"), totals);
        assertTrue(totals.endsWith(", malformed 0, late 0, of untrusted peers 0"), totals);
    }

    /** The configuration with the ports and the socket of this test. */
    private Path configured(Path socket) throws IOException {
        String text = Files.readString(CONFIGURATION);
        text = replaced(text, "/run/haproxy/admin.sock", socket.toString());
        text = replaced(text, "bind 127.0.0.1:8080", "bind 127.0.0.1:" + port);
        text = replaced(text, "bind 127.0.0.1:8404", "bind 127.0.0.1:" + table);
        for (int i = 0; i < NAMES.size(); i++) {
            text = replaced(
                    text,
                    "server " + NAMES.get(i) + " 127.0.0.1:" + (8_081 + i) + " check port " + (9_081 + i),
                    "server " + NAMES.get(i) + " 127.0.0.1:" + ports[i] + " check port " + metrics[i]);
        }
        return Files.writeString(directory.resolve("haproxy.cfg"), text);
    }

    private static String replaced(String text, String what, String by) {
        assertTrue(text.contains(what), what);
        return text.replace(what, by);
    }

    private void choosePorts() throws IOException {
        Set<Integer> chosen = new HashSet<>();
        SplittableRandom random = new SplittableRandom();
        while (chosen.size() < 2 * NAMES.size() + 2) {
            int candidate = random.nextInt(PORT_LEAST, PORT_MOST);
            try (ServerSocket free = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
                chosen.add(free.getLocalPort());
            } catch (BindException taken) {
                continue;
            }
        }
        List<Integer> all = List.copyOf(chosen);
        port = all.get(0);
        for (int i = 0; i < NAMES.size(); i++) {
            ports[i] = all.get(1 + 2 * i);
            metrics[i] = all.get(2 + 2 * i);
        }
        table = all.get(1 + 2 * NAMES.size());
    }

    /** Starts a load of GET; null: wrk is not installed. */
    private Process wrk() throws IOException {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "wrk")));
        return installed
                ? new ProcessBuilder(
                                "wrk", "-t1", "-c4", "-d300s", "--timeout", "60s", "http://127.0.0.1:" + port + "/")
                        .redirectErrorStream(true)
                        .start()
                : null;
    }

    private static void requireNoErrors(Process wrk) throws Exception {
        if (wrk == null) {
            return;
        }
        new ProcessBuilder("kill", "-INT", Long.toString(wrk.pid())).start().waitFor();
        String said = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertFalse(said.contains("Socket errors") || said.contains("Non-2xx"), said);
        Matcher requests = Pattern.compile("([0-9]+) requests in ").matcher(said);
        assertTrue(requests.find() && Long.parseLong(requests.group(1)) > 0, said);
    }
}
