package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;

/** A page in one file, with its style, script and figures. The page's content policy forbids network access. */
public final class HtmlReport {

    private HtmlReport() {}

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
        values.put("cells", Results.tables(report));
        values.putAll(Troubles.values(report));
        values.putAll(Environment.values(report));
        return page(
                "Cabrank bench, " + report.startedAt(),
                Template.named("report.html").fill(values),
                ChartData.of(report).json());
    }

    public static void write(BenchReport report, Path file) throws IOException {
        // A file that createTempFile creates can be read only by its owner.
        Path temporary = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.writeString(temporary, render(report), StandardCharsets.UTF_8);
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static String page(String title, String body, String data) {
        return Template.named("page.html")
                .fill(Map.of(
                        "title", title,
                        "body", body,
                        "style", Asset.own("report.css"),
                        "theme", Asset.own("theme.js"),
                        "version", Asset.libraryVersion(),
                        "licence", Asset.libraryLicence().replace("--", "- -"),
                        "library", Asset.library(),
                        "data", data,
                        "script", Asset.own("report.js")));
    }
}
