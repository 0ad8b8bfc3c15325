package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cabrank.bench.report.compare.BeforeAfter;
import org.cabrank.bench.report.compare.ChangesTable;
import org.cabrank.bench.report.compare.Regressions;
import org.cabrank.bench.report.html.ComparePage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cabrank report compare}. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Compares two runs of 'cabrank bench', before and after: each contender in each cell, with what is noise.",
            "Exit status: 0, or with --fail-on-regression 3 when Cabrank became worse somewhere."
        })
final class ReportCompareCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "BEFORE", description = "What 'cabrank bench --json' has written.")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "The same, later.")
    private Path after;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page, too.")
    private Path html;

    @Option(
            names = "--fail-on-regression",
            description = "Exit status 3 when one of Cabrank's contenders became worse by more than noise.")
    private boolean failOnRegression;

    @Override
    public Integer call() throws IOException {
        if (html != null) {
            ReportFile.checkWritable(html, "--html");
        }
        Regressions judgement = ReportFile.using(this::compared, before, after);
        if (!failOnRegression) {
            return 0;
        }
        System.out.print(judgement.words());
        return judgement.worse().isEmpty() ? 0 : Errors.REGRESSION;
    }

    /** Prints the comparison, and writes the page if it is wanted. */
    private Regressions compared() throws IOException {
        Regressions judgement = Regressions.of(ReportFile.read(before), ReportFile.read(after));
        BeforeAfter both = judgement.both();
        System.out.print(ChangesTable.render(both));
        if (html != null) {
            ComparePage.write(both, html);
            System.out.println("Page: " + html);
        }
        return judgement;
    }
}
