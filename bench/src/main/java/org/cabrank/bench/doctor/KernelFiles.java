package org.cabrank.bench.doctor;

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

/** Files of sysfs and procfs, or of copies; what cannot be read is not there. Control characters become question marks. */
record KernelFiles(Path sysfs, Path procfs) {
    /** Characters that a terminal may obey; lines and columns of a file are kept. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9f&&[^\\t\\n]]");

    /** A file of sysfs, without the space around it. */
    Optional<String> sys(String path) {
        return text(sysfs.resolve(path));
    }

    /** A file of procfs, without the space around it. */
    Optional<String> proc(String path) {
        return text(procfs.resolve(path));
    }

    /** The permissions of a file of procfs, such as {@code rw-r--r--}; empty where it is absent. */
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
            return Optional.empty(); // not every kernel and container shows every file; the finding says so
        }
    }

    /** The names in a directory of procfs, sorted. */
    List<String> namesOfProc(String path) {
        return names(procfs.resolve(path));
    }

    /** The names in a directory of sysfs, sorted. */
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

    /** Of a file such as {@code always [madvise] never} the word in brackets. */
    Optional<String> chosen(String path) {
        return sys(path).map(words -> words.replaceFirst("^.*\\[(.*)].*$", "$1"));
    }
}
