package org.cabrank.bench.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** File of a report's page. */
final class PageOption {

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page of the report goes (default: beside the raw numbers, under the same name).")
    private Path html;

    /**
     * Returns the file that belongs to {@code json}, or that the user names.
     *
     * @throws Failure if either cannot be written
     */
    Path checked(Path json) {
        Path page = html != null ? html : ReportFile.pageOf(json);
        ReportFile.checkWritable(json);
        ReportFile.checkWritable(page, "--html");
        return page;
    }
}
