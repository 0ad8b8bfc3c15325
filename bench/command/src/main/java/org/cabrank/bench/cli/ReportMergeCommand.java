package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cabrank report merge}. */
@Command(
        name = "merge",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Adds the results of load generators that loaded one server at the same time, from several machines: counts, rates"
                    + " and histograms, so that a percentile is that of all requests together.",
            "Exit status: 0 when every request of every generator got its right answer, else 1."
        })
final class ReportMergeCommand implements Callable<Integer> {

    @Parameters(arity = "2..*", paramLabel = "FILE", description = "What 'cabrank load --json' has written.")
    private List<Path> files;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the merged result to a file, which 'cabrank report merge' can read again.")
    private Path json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (json != null) {
            ReportFile.checkWritable(json);
        }
        LoadReport merged = merged();
        LoadPrinter printer =
                new LoadPrinter(spec.commandLine().getOut(), spec.commandLine().getErr());
        printer.print(merged);
        if (merged.apart() != null) {
            printer.err().println("warning: " + merged.apart());
        }
        if (json != null) {
            JsonFile.write(merged, json);
        }
        return printer.printErrors(merged, null) ? 0 : Errors.FAILED;
    }

    private LoadReport merged() {
        Map<String, LoadReport> reports = new LinkedHashMap<>();
        for (Path file : files) {
            if (reports.put(file.toString(), ReportFile.readLoad(file)) != null) {
                throw new Failure(file + " is named twice, and would be counted twice: name it once");
            }
        }
        try {
            return LoadReport.merged(reports);
        } catch (IllegalArgumentException apart) {
            throw new Failure(apart.getMessage(), apart);
        }
    }
}
