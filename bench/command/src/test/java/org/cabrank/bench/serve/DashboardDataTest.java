package org.cabrank.bench.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each chart of the dashboard shows data from a Prometheus that watches a server. */
@InSoak
@Once
@Timeout(300)
final class DashboardDataTest {
    private static final Pattern LISTENING = Pattern.compile("msg=\"Listening on\" address=(\\S+)");
    private static final long LOOK_NS = 50_000_000;
    private static final long PATIENCE_S = Long.getLong("cabrank.patience.seconds", 60);

    @TempDir
    private Path directory;

    @Test
    void eachExpressionHasData() throws Exception {
        try (ObservedServer server = ObservedServer.start()) {
            server.page();
            Process prometheus = prometheus(server.target());
            try {
                String address = address(prometheus);
                List<String> empty = new ArrayList<>(ObservationFilesTest.expressionsOfTheDashboard());
                assertTrue(empty.size() > 20, empty::toString);
                long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
                while (!empty.isEmpty()) { // rates need two scrapes
                    assertTrue(System.nanoTime() - deadlineNs < 0, "no data of " + empty);
                    LockSupport.parkNanos(LOOK_NS);
                    List<String> left = new ArrayList<>();
                    for (String expression : empty) {
                        if (!hasData(address, ObservationFilesTest.complete(expression))) {
                            left.add(expression);
                        }
                    }
                    empty = left;
                }
            } finally {
                prometheus.destroyForcibly().waitFor();
            }
        }
    }

    /** Starts Prometheus at a free port. */
    private Process prometheus(String target) throws IOException {
        Path configuration = Files.writeString(directory.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 200ms
                scrape_configs:
                  - job_name: cabrank
                    static_configs:
                      - targets: ['%s']
                """.formatted(target));
        try {
            return new ProcessBuilder(
                            "prometheus",
                            "--config.file=" + configuration,
                            "--storage.tsdb.path=" + directory.resolve("data"),
                            "--web.listen-address=127.0.0.1:0")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "prometheus is not installed");
            throw missing;
        }
    }

    /** Waits until Prometheus has reported the address of its pages. */
    private static String address(Process prometheus) throws IOException {
        BufferedReader log = prometheus.inputReader();
        StringBuilder read = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            read.append(line).append('\n');
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return listening.group(1);
            }
        }
        throw new IOException("prometheus has ended: " + read);
    }

    private static boolean hasData(String address, String expression) throws IOException, InterruptedException {
        JsonNode answer = new ObjectMapper()
                .readTree(ObservedServer.get("http://" + address + "/api/v1/query?query="
                        + URLEncoder.encode(expression, StandardCharsets.UTF_8)));
        return answer.path("status").asText().equals("success")
                && !answer.at("/data/result").isEmpty();
    }
}
