package org.cabrank.pinning.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reader of sysfs and procfs, or of copies. Unreadable files count as absent. Control characters become question marks. */
record KernelFiles(Path sysfs, Path procfs) {
    /** Control characters that a terminal may interpret, except line feed and tab. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f&&[^\\t\\n]]");

    /** Returns the stripped contents of a file of sysfs. */
    Optional<String> sys(String path) {
        return text(sysfs.resolve(path));
    }

    /** Returns the stripped contents of a file of procfs. */
    Optional<String> proc(String path) {
        return text(procfs.resolve(path));
    }

    /** Returns the permissions of a file of procfs, such as {@code rw-r--r--}; empty if the file is absent. */
    Optional<String> permissionsOfProc(String path) {
        try {
            return Optional.of(PosixFilePermissions.toString(Files.getPosixFilePermissions(procfs.resolve(path))));
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            return Optional.of(CONTROL.matcher(text).replaceAll("?"));
        } catch (IOException absent) {
            return Optional.empty(); // file absent in this kernel or container; the finding reports that
        }
    }

    /** Returns the sorted names in a directory of procfs. */
    List<String> namesOfProc(String path) {
        return names(procfs.resolve(path));
    }

    /** Returns the sorted names in a directory of sysfs. */
    List<String> namesOfSys(String path) {
        return names(sysfs.resolve(path));
    }

    private static List<String> names(Path directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException absent) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    /** Returns the bracketed choice of a file such as {@code always [madvise] never}. */
    Optional<String> chosen(String path) {
        return sys(path).map(words -> words.replaceFirst("^.*\\[(.*)].*$", "$1"));
    }
}
