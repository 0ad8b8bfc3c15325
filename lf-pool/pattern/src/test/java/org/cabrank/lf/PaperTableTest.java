package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table on the paper names classes and tests: all of them exist, in whichever module. */
class PaperTableTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path TABLE = MODULE.resolve("src/main/java/org/cabrank/lf/doc-files/paper.html");
    private static final Pattern ROW =
            Pattern.compile("<tr><th scope=\"row\">(.*)</th><td>(.*)</td><td>(.*)</td></tr>");
    private static final Pattern NAME = Pattern.compile("<code>([^<]+)</code>");

    /** Sections of the paper, each of which has a row. */
    private static final List<String> SECTIONS = List.of(
            "Handle",
            "Handle Set",
            "Event Handler",
            "Concrete Event Handler",
            "Thread Pool",
            "Activity 1",
            "Activity 2",
            "Activity 3",
            "Activity 4",
            "Activity 5",
            "Activity 6",
            "Variant: bound",
            "Variant: multiple handle sets",
            "Variant: multiple leaders",
            "Variant: hybrid thread",
            "Variant: hybrid client/servers",
            "Variant: alternative event sources");

    private record Row(String section, List<String> classes, List<String> tests) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String row : Files.readAllLines(TABLE)) {
            Matcher cells = ROW.matcher(row);
            if (cells.matches()) {
                rows.add(new Row(cells.group(1), names(cells.group(2)), names(cells.group(3))));
            }
        }
        return rows;
    }

    private static List<String> names(String cell) {
        Matcher matcher = NAME.matcher(cell);
        List<String> names = new ArrayList<>();
        while (matcher.find()) {
            names.add(matcher.group(1).replaceFirst("^([a-z]+\\.)+", "").strip());
        }
        return names;
    }

    /** All sources of the repository, by simple name, those of this module first where two are called alike. */
    private static Map<String, List<Path>> sources() throws IOException {
        Map<String, List<Path>> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(MODULE.getParent().getParent())) {
            files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("/src/"))
                    .forEach(file -> sources.computeIfAbsent(simpleName(file), name -> new ArrayList<>())
                            .add(file));
        }
        return sources;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** "Outer.Inner#member": a file called Outer that declares an Inner, and mentions a method called member. */
    private static boolean exists(Map<String, List<Path>> sources, String name, boolean isTest) throws IOException {
        String[] parts = name.split("#");
        String[] types = parts[0].split("\\.");
        for (Path file : sources.getOrDefault(types[0], List.of())) {
            if (!isTest && file.toString().contains("/src/test/")) {
                continue;
            }
            String text = Files.readString(file);
            boolean inner = types.length == 1
                    || Pattern.compile("\\b(class|record|enum|interface) " + types[1] + "\\b")
                            .matcher(text)
                            .find();
            boolean member = parts.length == 1
                    || Pattern.compile((isTest ? "\\bvoid " : "\\b") + parts[1] + "\\(")
                            .matcher(text)
                            .find();
            if (inner && member) {
                return true;
            }
        }
        return false;
    }

    @Test
    void everyNameInTheTableExists() throws IOException {
        Map<String, List<Path>> sources = sources();
        List<String> missing = new ArrayList<>();
        for (Row row : rows()) {
            for (String name : row.classes()) {
                if (!exists(sources, name, false)) {
                    missing.add(row.section() + ": no class " + name);
                }
            }
            for (String name : row.tests()) {
                if (!exists(sources, name, true)) {
                    missing.add(row.section() + ": no test " + name);
                }
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everyRowNamesAClassAndATest() throws IOException {
        for (Row row : rows()) {
            assertTrue(!row.classes().isEmpty(), () -> row.section() + " names no class");
            assertTrue(!row.tests().isEmpty(), () -> row.section() + " names no test");
        }
    }

    @Test
    void everySectionOfThePaperHasARow() throws IOException {
        List<String> sections = rows().stream().map(Row::section).toList();
        for (String section : SECTIONS) {
            assertTrue(
                    sections.stream().anyMatch(row -> row.startsWith(section)), () -> "no row begins with " + section);
        }
    }
}
