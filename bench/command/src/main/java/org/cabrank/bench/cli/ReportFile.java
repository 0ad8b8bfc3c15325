package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.load.LoadReport;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.LoadReportReader;
import org.cabrank.bench.report.ReportReader;

/** File for an experiment's raw numbers. */
final class ReportFile {

    private ReportFile() {}

    /** {@code name-TIME.json}, in the directory {@code target} where there is one. */
    static Path named(String name) {
        String time = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").format(ZonedDateTime.now(ZoneOffset.UTC));
        Path file = Path.of(name + "-" + time + ".json");
        Path target = Path.of("target");
        return Files.isDirectory(target) ? target.resolve(file) : file;
    }

    /** Reads a bench's report from {@code file}. */
    static BenchReport read(Path file) {
        try {
            return ReportReader.read(file);
        } catch (ReportReader.UnreadableReportException unreadable) {
            throw new Failure(unreadable.getMessage());
        }
    }

    /** Makes something of reports that were read from files, whose contents may lack anything. */
    @FunctionalInterface
    interface Use<T> {
        T apply() throws IOException;
    }

    /**
     * Returns what {@code use} makes of the reports in {@code files}.
     *
     * @throws Failure if they lack a field that it needs, as files of earlier versions may
     */
    static <T> T using(Use<T> use, Path... files) throws IOException {
        try {
            return use.apply();
        } catch (Failure known) {
            throw known;
        } catch (RuntimeException incomplete) {
            throw new Failure(
                    "cannot read " + Stream.of(files).map(Path::toString).collect(Collectors.joining(" and "))
                            + ": a field that this version needs is missing or has another form ("
                            + String.valueOf(incomplete.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("unknown")
                            + "): run the bench again, or use the version that wrote it",
                    incomplete);
        }
    }

    /** Reads a load generator's report from {@code file}. */
    static LoadReport readLoad(Path file) {
        try {
            return LoadReportReader.read(file);
        } catch (ReportReader.UnreadableReportException unreadable) {
            throw new Failure(unreadable.getMessage());
        }
    }

    /** The page that belongs to {@code json}: beside it, with {@code .html} for {@code .json}. */
    static Path pageOf(Path json) {
        String name = json.getFileName() == null ? "" : json.getFileName().toString();
        String stem = name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
        return json.resolveSibling(stem + ".html");
    }

    /** Now, and not when the results are there. */
    static void checkWritable(Path file) {
        checkWritable(file, "--json");
    }

    /** {@code flag} is the one that names another file. */
    static void checkWritable(Path file, String flag) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null // the root
                || !Files.isDirectory(directory)
                || !Files.isWritable(directory)
                || Files.isDirectory(file)) {
            throw new Failure(
                    "cannot write " + file + ": name a file in a directory that exists and is writable (" + flag + ")");
        }
    }
}
