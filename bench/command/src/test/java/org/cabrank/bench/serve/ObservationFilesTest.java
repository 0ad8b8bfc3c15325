package org.cabrank.bench.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alert rules of {@code scripts/observe}, against promtool and the page of a server. */
@Once
@Timeout(300)
final class ObservationFilesTest {
    private static final Path DIRECTORY = Path.of("").toAbsolutePath().resolve("../../scripts/observe");
    private static final String ALERTS = "cabrank-alerts.yml";
    private static final String ALERTS_TEST = "cabrank-alerts-test.yml";

    /** Strings, matchers of labels, ranges, and lists of labels: none of them names a metric. */
    private static final Pattern NO_METRICS = Pattern.compile(
            "\\{[^}]*}|\\[[^]]*]|\"[^\"]*\"|\\b(?:by|without|on|ignoring|group_left|group_right) *\\([^)]*\\)");

    private static final Pattern NAME = Pattern.compile("\\b[a-zA-Z_:][a-zA-Z0-9_:]*\\b(?! *\\()");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "offset", "bool", "by", "without");

    /** Is made by Prometheus itself. */
    private static final String UP = "up";

    @TempDir
    private Path temporary;

    private static String read(String file) throws IOException {
        return Files.readString(DIRECTORY.resolve(file));
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper().readTree(read("cabrank-dashboard.json"));
    }

    private static List<JsonNode> charts() throws IOException {
        List<JsonNode> charts = new ArrayList<>();
        for (JsonNode panel : dashboard().get("panels")) {
            if (!panel.get("type").asText().equals("row")) {
                charts.add(panel);
            }
        }
        return charts;
    }

    static List<String> expressionsOfTheDashboard() throws IOException {
        List<String> expressions = new ArrayList<>();
        for (JsonNode chart : charts()) {
            chart.get("targets")
                    .forEach(target -> expressions.add(target.get("expr").asText()));
        }
        return expressions;
    }

    /** Returns an expression as Grafana asks Prometheus for it, for all servers. */
    static String complete(String expression) {
        return expression
                .replace("$__rate_interval", "1m")
                .replace("$job", ".*")
                .replace("$instance", ".*");
    }

    /** The expressions of the rules, each on one line or as a block of text. */
    private static List<String> expressionsOfTheRules() throws IOException {
        return Pattern.compile("^        expr: (?:\\|-\\n((?:          .*\\n)+)|(.*)\\n)", Pattern.MULTILINE)
                .matcher(read(ALERTS))
                .results()
                .map(found -> found.group(1) != null ? found.group(1) : found.group(2))
                .toList();
    }

    private static Set<String> metrics(List<String> expressions) {
        Set<String> metrics = new TreeSet<>();
        for (String expression : expressions) {
            Matcher name = NAME.matcher(NO_METRICS.matcher(expression).replaceAll(" "));
            while (name.find()) {
                metrics.add(name.group());
            }
        }
        metrics.removeAll(KEYWORDS);
        metrics.removeIf(name -> name.equals(UP));
        return metrics;
    }

    /** The names of all meters. */
    private static Set<String> metricsOfAServer() throws Exception {
        try (ObservedServer server = ObservedServer.start()) {
            return server.page()
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.replaceFirst("[{ ].*", ""))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void aServerHasEveryMetricOfTheDashboardAndOfTheRules() throws Exception {
        Set<String> served = metricsOfAServer();
        for (List<String> expressions : List.of(expressionsOfTheDashboard(), expressionsOfTheRules())) {
            Set<String> used = metrics(expressions);
            assertTrue(used.size() > 15, used.toString());
            used.removeAll(served);
            assertEquals(Set.of(), used);
        }
    }

    @Test
    void everyChartHasAUnitAndTheDataSourceOfTheVariable() throws Exception {
        List<String> wrong = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode chart : charts()) {
            String title = chart.get("title").asText();
            if (chart.at("/fieldConfig/defaults/unit").asText().isEmpty()) {
                wrong.add(title + " has no unit");
            }
            List<JsonNode> sources = new ArrayList<>(List.of(chart.get("datasource")));
            chart.get("targets").forEach(target -> sources.add(target.get("datasource")));
            if (!sources.stream().allMatch(source -> source.get("uid").asText().equals("${datasource}"))) {
                wrong.add(title + " names a data source of one installation");
            }
            if (!ids.add(chart.get("id").asInt())) {
                wrong.add(title + " has the id of another panel");
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(ids.size() > 20, ids.toString());
        JsonNode source = dashboard().at("/templating/list/0");
        assertEquals("datasource", source.get("name").asText());
        assertEquals("datasource", source.get("type").asText());
    }

    @Test
    void expressionsOfTheDashboardAreValid() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        int number = 0;
        for (String expression : expressionsOfTheDashboard()) {
            String complete = complete(expression);
            assertFalse(complete.contains("$"), complete);
            rules.append("      - record: panel:" + number++ + "\n        expr: '" + complete + "'\n");
        }
        Path file = Files.writeString(temporary.resolve("dashboard.yml"), rules);
        promtool("check", "rules", file.toString());
    }

    @Test
    void promtoolAcceptsTheRulesAndTheConfiguration() throws Exception {
        promtool("check", "rules", ALERTS);
        promtool("check", "config", "cabrank-prometheus.yml");
    }

    @Test
    void eachAlertFiresAndDoesNotFire() throws Exception {
        promtool("test", "rules", ALERTS_TEST);
        String cases = read(ALERTS_TEST);
        List<String> alerts = Pattern.compile("- alert: (\\w+)")
                .matcher(read(ALERTS))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertTrue(alerts.size() > 10, alerts.toString());
        for (String alert : alerts) {
            assertTrue(
                    cases.contains("alertname: " + alert + "\n        exp_alerts:\n"), alert + " is not seen firing");
            assertTrue(cases.contains("alertname: " + alert + "\n        exp_alerts: []\n"), alert + " always fires");
        }
    }

    /** Runs promtool in the directory of the files, and expects it to find nothing wrong. */
    private static void promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("promtool"));
        command.addAll(List.of(arguments));
        Process promtool;
        try {
            promtool = new ProcessBuilder(command)
                    .directory(DIRECTORY.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, "promtool is not installed");
            return;
        }
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, promtool.waitFor(), said);
    }
}
