package org.cabrank.bench.report;

import java.util.Arrays;
import java.util.List;

/** Question that a report is about, which decides on its tables and its page. */
public enum Topic {
    /** Several questions, or one without tables and charts of its kind. */
    GENERAL(""),
    BLOCKING("blocking");

    private final String scenario;

    Topic(String scenario) {
        this.scenario = scenario;
    }

    /** Returns the topic of a report whose scenarios are all about it. */
    public static Topic of(BenchReport report) {
        List<String> names =
                report.scenarios().stream().map(ScenarioInfo::name).distinct().toList();
        return Arrays.stream(values())
                .filter(topic -> names.equals(List.of(topic.scenario)))
                .findFirst()
                .orElse(GENERAL);
    }
}
