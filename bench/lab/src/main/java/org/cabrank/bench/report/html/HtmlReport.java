package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.Topic;

/** The report as a page: one file, with style, script and figures inside; its own policy forbids it the network. */
public final class HtmlReport {

    private HtmlReport() {}

    /** The page of {@code report}. */
    public static String render(BenchReport report) {
        BenchReport.Machine machine = report.machine();
        Map<String, Object> values = new HashMap<>();
        values.put("started", report.startedAt().replace('T', ' ').replace("Z", " UTC"));
        values.put("cpu", machine.cpuModel());
        values.put("cpus", machine.cpusOnline());
        values.put("kernel", machine.kernelRelease());
        values.put("jvm", report.jvm().version());
        values.put("early", !report.complete());
        values.put("measured", !report.cells().isEmpty());
        values.put("baseline", report.baseline());
        values.put("library", Asset.libraryVersion());
        values.putAll(Summary.values(report));
        values.putAll(topic(report));
        values.put("cells", Results.tables(report));
        values.putAll(ProfileCards.values(report));
        values.putAll(Troubles.values(report));
        values.putAll(Environment.values(report));
        return page(
                "Cabrank bench, " + report.startedAt(),
                Template.named("report.html").fill(values),
                ChartData.of(report).json());
    }

    /** Values that depend on the question of the report. */
    private static Map<String, Object> topic(BenchReport report) {
        Map<String, Object> values = new HashMap<>();
        Topic topic = Topic.of(report);
        values.put("lines", topic != Topic.BLOCKING && !report.cells().isEmpty());
        switch (topic) {
            case BLOCKING -> {
                values.put("question", "Who waits behind a handler that blocks?");
                values.put("charts", BlockingCards.of(report));
            }
            case GENERAL -> {
                values.put("question", "Which server is fastest here, and what does it cost?");
                values.put("charts", Charts.cards(report));
            }
        }
        return values;
    }

    /** Writes the page so that a reader never sees half of one. */
    public static void write(BenchReport report, Path file) throws IOException {
        writePage(render(report), file);
    }

    static void writePage(String page, Path file) throws IOException {
        // Not by createTempFile, because other users may read a page, which is made to be passed on.
        Path temporary = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.writeString(temporary, page, StandardCharsets.UTF_8);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** A page with the style and the scripts of all pages. {@code data} is null where there are no charts. */
    static String page(String title, String body, String data) {
        Map<String, Object> values = new HashMap<>(
                Map.of("title", title, "body", body, "style", Asset.own("report.css"), "theme", Asset.own("theme.js")));
        values.put("charts", data != null);
        if (data != null) {
            values.put("version", Asset.libraryVersion());
            values.put("licence", Asset.libraryLicence().replace("--", "- -"));
            values.put("library", Asset.library());
            values.put("data", data);
            values.put("script", Asset.own("waiting.js") + Asset.own("report.js"));
        }
        return Template.named("page.html").fill(values);
    }
}
