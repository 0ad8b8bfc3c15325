package org.cabrank.affinity.files;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;

/** Text files below a root. A missing or malformed file gives an empty result. A malformed file also adds a note. Not thread-safe. */
public final class FileTree {
    private static final int QUOTED_MAX = 60;

    private static final Pattern NOT_PRINTABLE = Pattern.compile("[^\\x20-\\x7e]+");

    /** Characters that a terminal may interpret or cannot show, except tabs and line ends. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}&&[^\\t\\n]]");

    /** Charset of the JDK's file names, which only this property reports. */
    private static final Charset FILE_NAMES = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Path root;
    private final Notes notes;

    public FileTree(Path root, Notes notes) {
        this.root = Objects.requireNonNull(root);
        this.notes = Objects.requireNonNull(notes);
    }

    public Path path(String path) {
        try {
            return root.resolve(path);
        } catch (InvalidPathException e) {
            // This platform or locale cannot represent the name. No file has the returned name.
            return root.resolve(NOT_PRINTABLE.matcher(path).replaceAll("?"));
        }
    }

    public boolean has(String path) {
        return Files.exists(path(path));
    }

    public static String printable(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }

    public Optional<String> text(String path) {
        // Every sequence of bytes is valid in this character set.
        return read(path, StandardCharsets.ISO_8859_1).map(FileTree::printable);
    }

    /** Text of a file without surrounding space, for use in paths. Must not be printed, because it may have control characters. */
    public Optional<String> raw(String path) {
        return read(path, FILE_NAMES);
    }

    private Optional<String> read(String path, Charset charset) {
        try {
            String text = new String(Files.readAllBytes(path(path)), charset);
            // Release candidates before 5.15.0 wrote a NUL after the newline of lists of CPUs.
            return Optional.of(text.replaceFirst("[\\s\\x00]+$", "").strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public OptionalLong number(String path) {
        Optional<Long> number = parsed(path, "no number", Long::parseLong);
        return number.isPresent() ? OptionalLong.of(number.get()) : OptionalLong.empty();
    }

    public OptionalInt integer(String path) {
        Optional<Integer> number = parsed(path, "no number", Integer::parseInt);
        return number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
    }

    public Optional<CpuList> list(String path) {
        return parsed(path, "no list", CpuList::parse);
    }

    public Optional<CpuList> listOrMask(String listPath, String maskPath) {
        Optional<CpuList> list = list(listPath);
        return list.isPresent() ? list : parsed(maskPath, "no mask", CpuList::parseMask);
    }

    /**
     * Parses a file. If {@code parser} throws IllegalArgumentException, returns an empty result and adds a note.
     *
     * @param wrong text for the note, such as "no list"
     */
    public <T> Optional<T> parsed(String path, String wrong, Function<String, T> parser) {
        Optional<String> text = text(path);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parser.apply(text.get()));
        } catch (IllegalArgumentException e) {
            notes.add(path(path).toString(), "holds " + wrong + ", so it is left out of account", quoted(text.get()));
            return Optional.empty();
        }
    }

    private static String quoted(String text) {
        String printable = NOT_PRINTABLE.matcher(text).replaceAll("?");
        return ": '" + (printable.length() > QUOTED_MAX ? printable.substring(0, QUOTED_MAX) + "..." : printable) + "'";
    }

    /** Sorted names in a directory; empty if it is missing or unreadable. */
    public List<String> names(String path) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(path))) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (IOException | DirectoryIteratorException e) {
            return Collections.unmodifiableList(names);
        }
        Collections.sort(names);
        return names;
    }

    /** Returns the number N of each entry {@code prefixN}, if N is a valid number of a CPU or node. */
    public CpuList numbered(String path, String prefix) {
        return CpuList.of(names(path).stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .filter(number -> number.matches("\\d{1,4}"))
                .mapToInt(Integer::parseInt)
                .filter(number -> number < CpuList.CPUS_MAX)
                .toArray());
    }

    public Optional<Path> real(String path) {
        try {
            return Optional.of(path(path).toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public void note(String path, String words) {
        notes.add(path(path).toString(), words);
    }
}
