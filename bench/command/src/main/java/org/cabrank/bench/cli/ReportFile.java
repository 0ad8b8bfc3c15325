package org.cabrank.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.cabrank.bench.report.ReportReader;
import org.cabrank.bench.report.compare.BeforeAfter;

final class ReportFile {

    private ReportFile() {}

    /** Returns the path {@code name-TIME.json}. If there is a directory {@code target}, the file is in it. */
    static Path named(String name) {
        String time = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").format(ZonedDateTime.now(ZoneOffset.UTC));
        Path file = Path.of(name + "-" + time + ".json");
        Path target = Path.of("target");
        return Files.isDirectory(target) ? target.resolve(file) : file;
    }

    /** Compares two reports. Fails if a file is not a report of a bench, or is a report of an earlier version. */
    static BeforeAfter compared(Path before, Path after) {
        try {
            return BeforeAfter.of(ReportReader.read(before), ReportReader.read(after));
        } catch (ReportReader.UnreadableReportException unreadable) {
            throw new Failure(unreadable.getMessage(), unreadable);
        } catch (RuntimeException incomplete) {
            throw new Failure(
                    "cannot read " + before + " and " + after + ": a field is missing or has another form ("
                            + incomplete.getMessage() + "): run the bench again, or use the version that wrote them",
                    incomplete);
        }
    }

    static Path pageOf(Path json) {
        String name = json.getFileName() == null ? "" : json.getFileName().toString();
        String stem = name.endsWith(".json") ? name.substring(0, name.length() - ".json".length()) : name;
        return json.resolveSibling(stem + ".html");
    }

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
