package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cabrank serve resp} with redis-cli and redis-benchmark, as its user starts them. */
@Once
@Timeout(180)
final class RespProcessTest {
    private static final Pattern RATE = Pattern.compile("\"(\\w+)(?: \\(.*?\\))?\",\"(\\d+)");

    @TempDir
    private Path directory;

    @BeforeEach
    void requireTheClients() {
        boolean found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, "redis-benchmark").canExecute());
        assumeTrue(found, "redis-benchmark is not on the PATH: on Debian, apt-get install redis-tools");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    private static String cli(int port, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-p", String.valueOf(port)));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new)).strip();
    }

    @ParameterizedTest
    @CsvSource({
        "epoll, 1, deferred",
        "epoll, 3, deferred",
        "epoll, 3, eager",
        "epoll, 3, kernel",
        "iouring, 1, deferred",
    })
    void redisBenchmarkIsServed(String backend, String threads, String promotion) throws Exception {
        PoolMode mode = new PoolMode(backend, null, List.of("--threads-per-shard", threads, "--promotion", promotion));
        try (ServeProcess server = mode.serve("resp")) {
            int port = server.address().port();
            for (String depth : new String[] {"1", "16"}) {
                String report = run(
                        "redis-benchmark",
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "20",
                        "-n",
                        "2000",
                        "-P",
                        depth,
                        "-r",
                        "1000",
                        "-t",
                        "ping,set,get,incr,mset",
                        "--csv");
                assertEquals(6, RATE.matcher(report).results().count(), report);
                assertTrue(!report.contains("WARN") && !report.toLowerCase().contains("error"), report);
            }
            assertTrue(Integer.parseInt(cli(port, "DBSIZE")) > 500);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    @Test
    void redisCliSpeaksBothVersions() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, "resp", "--listen", "127.0.0.1:0", "--memory-max", "1m")) {
            int port = server.address().port();
            assertTrue(server.readyLine().contains("(resp on "), server.readyLine());
            assertEquals("PONG", cli(port, "PING"));
            assertEquals("OK", cli(port, "SET", "a key", "two words", "EX", "100"));
            assertEquals("\"two words\"", cli(port, "--no-raw", "GET", "a key"));
            assertEquals("(nil)", cli(port, "--no-raw", "GET", "none"));
            assertEquals("(integer) 100", cli(port, "--no-raw", "TTL", "a key"));
            assertTrue(cli(port, "-3", "--no-raw", "HELLO", "3").startsWith("1# \"server\" => \"cabrank\""));
            assertEquals("1# \"maxmemory\" => \"1048576\"", cli(port, "-3", "--no-raw", "CONFIG", "GET", "maxmemory"));
            assertEquals("OOM command not allowed when used memory > 'maxmemory'.", refused(port));
        }
    }

    /** Fills the memory until a write is refused. */
    private static String refused(int port) throws Exception {
        for (int i = 0; i < 20; i++) {
            String reply = cli(port, "SET", "large" + i, "x".repeat(100_000));
            if (!reply.equals("OK")) {
                return reply;
            }
        }
        return "OK";
    }

    @Test
    void redisCliIsServedOverTls() throws Exception {
        assumeTrue(run("redis-cli", "--help").contains("--tls"), "this redis-cli was built without TLS");
        Path certificate = directory.resolve("certificate.pem");
        try (ServeProcess server = ServeProcess.start(
                null,
                "resp",
                "--listen",
                "127.0.0.1:0",
                "--tls",
                "self-signed",
                "--tls-write-cert",
                certificate.toString())) {
            String[] tls = {"--tls", "--cacert", certificate.toString()};
            int port = server.address().port();
            assertEquals("OK", cli(port, tls[0], tls[1], tls[2], "SET", "key", "x".repeat(100_000)));
            assertEquals("x".repeat(100_000), cli(port, tls[0], tls[1], tls[2], "GET", "key"));
        }
    }

    /** The handler's thread sleeps for three seconds; a standby answers other connections long before its end. */
    @Test
    void otherConnectionsAreServedWhileACommandSleeps() throws Exception {
        PoolMode mode = new PoolMode("epoll", null, List.of("--threads-per-shard", "4"));
        try (ServeProcess server = mode.serve("resp")) {
            int port = server.address().port();
            Process sleeping = new ProcessBuilder("redis-cli", "-p", String.valueOf(port), "DEBUG", "SLEEP", "3")
                    .redirectErrorStream(true)
                    .start();
            sleeping.getOutputStream().close();
            while (!cli(port, "CLIENT", "LIST").contains(" cmd=debug ")) {
                Thread.onSpinWait();
            }
            assertEquals("PONG", cli(port, "PING"));
            assertTrue(
                    sleeping.isAlive(),
                    "the command has slept for three seconds before the other commands were answered");
            server.terminate(); // the drain answers the command that sleeps
            assertEquals("OK", new String(sleeping.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }
}
