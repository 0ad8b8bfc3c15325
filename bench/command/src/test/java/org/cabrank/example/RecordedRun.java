package org.cabrank.example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The recorded run of the bench that figures of the pages come from: its JSON file, of which each slice has kept what the pages show. */
record RecordedRun(JsonNode run) {
    private static final double NS_PER_MS = 1e6;

    static RecordedRun read(Path root) throws IOException {
        return new RecordedRun(new ObjectMapper()
                .readTree(root.resolve("bench/default-run.json").toFile()));
    }

    boolean has(String contender) {
        for (JsonNode each : run.get("contenders")) {
            if (each.get("name").textValue().equals(contender)) {
                return true;
            }
        }
        return false;
    }

    /** A figure as pages show it: requests per second as the ratio to the baseline, latencies and start in ms, CPU time in µs. */
    double figure(String contender, String column) {
        return switch (column) {
            case "64" -> ratio(contender, cell("ping-pong", with("connections", 64)));
            case "4,096" -> ratio(contender, cell("ping-pong", with("connections", 4_096)));
            case "slow" -> ratio(contender, slow());
            case "slow p99" ->
                rounded(summary(contender, slow()).at("/latency/p99Us").doubleValue() / 1_000);
            case "CPU" ->
                rounded(median(
                                contender,
                                cell("ping-pong", with("connections", 64)),
                                slice -> slice.at("/measured/server/cpuNs").doubleValue()
                                        / slice.at("/measured/answers").doubleValue())
                        / 1_000);
            case "start" ->
                Math.round(median(
                                contender,
                                null,
                                slice -> slice.get("startToFirstAnswerNs").doubleValue())
                        / NS_PER_MS);
            default -> ratio(contender, cell(column, any -> true));
        };
    }

    private static Predicate<JsonNode> with(String parameter, int value) {
        return cell -> cell.get(parameter).intValue() == value;
    }

    private JsonNode slow() {
        return cell("slow", with("slowPermille", 1));
    }

    private JsonNode cell(String scenario, Predicate<JsonNode> wanted) {
        for (JsonNode each : run.get("scenarios")) {
            if (each.get("name").textValue().equals(scenario)) {
                for (JsonNode cell : each.get("cells")) {
                    if (wanted.test(cell)) {
                        return cell;
                    }
                }
            }
        }
        throw new IllegalArgumentException("the recorded run has no such cell of " + scenario);
    }

    private JsonNode summary(String contender, JsonNode cell) {
        for (JsonNode each : run.get("cells")) {
            if (each.get("cell").equals(cell.get("id"))) {
                for (JsonNode of : each.get("contenders")) {
                    if (of.get("contender").textValue().equals(contender)) {
                        return of;
                    }
                }
            }
        }
        throw new IllegalArgumentException("the recorded run has no " + contender + " in " + cell.get("id"));
    }

    private double ratio(String contender, JsonNode cell) {
        return contender.equals(run.get("baseline").textValue())
                ? 1
                : Math.round(summary(contender, cell)
                                        .at("/ratios/REQUESTS_PER_SECOND/interval/median")
                                        .doubleValue()
                                * 100)
                        / 100.0;
    }

    /** Thousands of requests per second where one in a thousand blocks. */
    double slowThousands(String contender) {
        return Math.round(summary(contender, slow())
                        .at("/values/REQUESTS_PER_SECOND/median")
                        .doubleValue()
                / 1_000);
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    /** @param cell null: all cells */
    private double median(String contender, JsonNode cell, ToDoubleFunction<JsonNode> value) {
        List<Double> values = new ArrayList<>();
        for (JsonNode slice : run.get("runs")) {
            if (slice.get("contender").textValue().equals(contender)
                    && (cell == null || slice.get("cell").equals(cell.get("id")))) {
                values.add(value.applyAsDouble(slice));
            }
        }
        values.sort(null);
        return values.get(values.size() / 2);
    }

    double blockedMs() {
        return slow().get("slowTimeNs").doubleValue() / NS_PER_MS;
    }

    String origin() {
        return String.format(
                Locale.ROOT,
                "%s, %s, Linux %s, Java %s; one request in a thousand blocks for %.0f ms, 64 connections",
                run.get("startedAt").textValue().substring(0, 10),
                run.at("/machine/cpuModel").textValue(),
                run.at("/machine/kernelRelease").textValue().split("-")[0],
                run.at("/jvm/version").textValue().split("\\+")[0],
                blockedMs());
    }
}
