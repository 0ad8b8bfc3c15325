package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code cabrank serve resp} with redis-cli and redis-benchmark, as its user starts them. */
@Once
@Timeout(300)
final class RespProcessTest {
    private static final Pattern RATE = Pattern.compile("\"(\\w+)(?: \\(.*?\\))?\",\"(\\d+)");

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
    @MethodSource("org.cabrank.bench.end.PoolMode#backends")
    void redisBenchmarkAndRedisCliAreServed(String backend) throws Exception {
        String threads = backend.equals("epoll") ? "3" : "1";
        PoolMode mode = new PoolMode(backend, null, List.of("--threads-per-shard", threads));
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
                        "ping,set,get,incr",
                        "--csv");
                assertEquals(5, RATE.matcher(report).results().count(), report);
                assertTrue(!report.contains("WARN") && !report.toLowerCase().contains("error"), report);
            }
            assertEquals("OK", cli(port, "SET", "a key", "two words"));
            assertEquals("\"two words\"", cli(port, "--no-raw", "GET", "a key"));
            assertEquals("(nil)", cli(port, "--no-raw", "GET", "none"));
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }
}
