package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.html.HtmlReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cabrank report html}. */
@Command(
        name = "html",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Makes the page of a bench's JSON file: one file that needs no network.")
final class ReportHtmlCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "What 'cabrank bench --json' has written.")
    private Path file;

    @Option(names = "--out", paramLabel = "FILE", description = "Where the page goes (default: beside FILE, as .html).")
    private Path out;

    @Override
    public Integer call() throws IOException {
        Path page = out != null ? out : ReportFile.pageOf(file);
        BenchReport report = ReportFile.read(file);
        ReportFile.checkWritable(page, "--out");
        ReportFile.using(
                () -> {
                    HtmlReport.write(report, page);
                    return page;
                },
                file);
        System.out.println("Page: " + page);
        return 0;
    }
}
