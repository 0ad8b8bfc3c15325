package org.cabrank.bench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Where an experiment's raw numbers go. */
final class ReportFile {

    private ReportFile() {}

    /** {@code name-TIME.json}, in the directory {@code target} where there is one. */
    static Path named(String name) {
        String time = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").format(ZonedDateTime.now(ZoneOffset.UTC));
        Path file = Path.of(name + "-" + time + ".json");
        Path target = Path.of("target");
        return Files.isDirectory(target) ? target.resolve(file) : file;
    }

    /** Now, and not when the results are there. */
    static void checkWritable(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null // the root
                || !Files.isDirectory(directory)
                || !Files.isWritable(directory)
                || Files.isDirectory(file)) {
            throw new Failure(
                    "cannot write " + file + ": name a file in a directory that exists and is writable (--json)");
        }
    }
}
