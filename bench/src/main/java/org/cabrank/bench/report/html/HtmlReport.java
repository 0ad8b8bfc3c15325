package org.cabrank.bench.report.html;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.cabrank.bench.report.BenchReport;

/** The report as a page: one file, with style, script and figures inside; its own policy forbids it the network. */
public final class HtmlReport {

    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none';"
                    + " form-action 'none'";

    private HtmlReport() {}

    /** The page of {@code report}. */
    public static String render(BenchReport report) {
        String body = header(report)
                + Summary.render(report)
                + Charts.render(report)
                + Results.render(report)
                + Troubles.render(report)
                + Environment.render(report);
        return page(
                "Cabrank bench, " + report.startedAt(),
                body,
                ChartData.of(report).json());
    }

    /** Writes the page so that a reader never sees half of one. */
    public static void write(BenchReport report, Path file) throws IOException {
        writePage(render(report), file);
    }

    static void writePage(String page, Path file) throws IOException {
        // Not by createTempFile: others may read a page, which is made to be passed on.
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
        StringBuilder page = new StringBuilder(1 << 20);
        page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.append("<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">\n");
        page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
        page.append("<link rel=\"icon\" href=\"data:,\">\n");
        page.append("<title>" + Html.text(title) + "</title>\n<style>\n");
        page.append(Asset.own("report.css")).append("</style>\n</head>\n<body>\n<main>\n");
        page.append(body).append("</main>\n");
        if (data != null) {
            page.append("<!-- Chart.js " + Asset.libraryVersion() + "\n"
                    + Asset.libraryLicence().replace("--", "- -") + "-->\n");
            page.append("<script>\n" + Asset.library() + "\n</script>\n");
            page.append("<script type=\"application/json\" id=\"data\">" + data + "</script>\n");
        }
        page.append("<script>\n" + Asset.own("theme.js") + "</script>\n");
        if (data != null) {
            page.append("<script>\n" + Asset.own("report.js") + "</script>\n");
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static String header(BenchReport report) {
        BenchReport.Machine machine = report.machine();
        return "<header><div><p class=\"brand\">Cabrank bench</p><h1>Which server is fastest here, and what does it cost?</h1>"
                + "<p class=\"meta\">"
                + Html.text(report.startedAt().replace('T', ' ').replace("Z", " UTC")) + " · "
                + Html.text(machine.cpuModel()) + ", CPUs " + Html.text(machine.cpusOnline()) + " · Linux "
                + Html.text(machine.kernelRelease()) + " · JVM "
                + Html.text(report.jvm().version()) + "</p></div>"
                + "<button id=\"theme\" type=\"button\" class=\"tool\">Theme: auto</button></header>\n"
                + (report.complete()
                        ? ""
                        : "<p class=\"notice\">This bench was ended early: the report is of what was finished.</p>\n");
    }
}
