package org.cabrank.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each exported package says how stable it is, the comparison with the last release (profile "api" of scripts/release/pom.xml) has the
 * same packages, and records can get components. The rules are in lf-pool/README.md.
 */
@Once
class StabilityTest {
    private static final Poms POMS = Poms.OF_THIS_CHECKOUT;
    private static final String STABLE = "stable.";
    private static final String STABLE_WITH_RECORDS =
            "stable, but for the canonical constructors of records, which get components.";
    private static final String PREVIEW = "preview; any release may change the package.";
    private static final String ONLY_CABRANK =
            "Only Cabrank implements this interface; releases may add methods to it.";

    /** The promise of 1.0: connections, handlers, servers, limits, datagrams, frames and the test kit. All else is a preview. */
    private static final Set<String> PROMISED =
            Set.of("org.cabrank.framing", "org.cabrank.socket", "org.cabrank.stream", "org.cabrank.stream.testkit");

    private static final int TYPES_MAX = 140;

    private static final Pattern EXPORT = Pattern.compile("^ *exports ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern STABILITY = Pattern.compile("^ \\* <p>Stability: (.*)$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("^ *'(org\\.cabrank\\.[\\w.]+)',$", Pattern.MULTILINE);

    /** The directory of each exported package of a published module. */
    private static final TreeMap<String, Path> PACKAGES = new TreeMap<>();

    @BeforeAll
    static void findThePackages() {
        for (String module : POMS.published()) {
            Path sources = POMS.root().resolve(module + "/src/main/java");
            EXPORT.matcher(read(sources.resolve("module-info.java")))
                    .results()
                    .map(export -> export.group(1))
                    .forEach(name -> PACKAGES.put(name, sources.resolve(name.replace('.', '/'))));
        }
        assertTrue(PACKAGES.size() > 20, PACKAGES.toString());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String stability(String name) {
        return STABILITY
                .matcher(read(PACKAGES.get(name).resolve("package-info.java")))
                .results()
                .map(line -> line.group(1))
                .collect(Collectors.joining(" and "));
    }

    private static Set<String> stablePackages() {
        return PACKAGES.keySet().stream()
                .filter(name -> stability(name).startsWith("stable"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Class<?>> publicRecords() {
        return stablePackages().stream()
                .flatMap(name -> sources(PACKAGES.get(name)).map(file -> typeOf(name, file)))
                .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getClasses())))
                .filter(type -> type.isRecord() && Modifier.isPublic(type.getModifiers()));
    }

    private static Class<?> typeOf(String name, Path file) {
        try {
            return Class.forName(name + "." + simpleName(file), false, StabilityTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(file.toString(), e);
        }
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static Stream<Path> sources(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files
                    .filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void eachExportedPackageSaysHowStableItIs() {
        Set<String> withRecords = publicRecords().map(Class::getPackageName).collect(Collectors.toSet());
        List<String> wrong = new ArrayList<>();
        for (String name : PACKAGES.keySet()) {
            String stability = stability(name);
            if (!stability.equals(PREVIEW)
                    && !stability.equals(withRecords.contains(name) ? STABLE_WITH_RECORDS : STABLE)) {
                wrong.add(name + ": " + stability);
            }
        }
        assertEquals(List.of(), wrong);
        assertEquals(PROMISED, stablePackages());
    }

    /** Types that users may name in the pattern, streams, sockets and both reactors: a new one replaces another, or raises this number. */
    @Test
    void usersMayNameFewTypes() {
        List<Class<?>> types = PACKAGES.keySet().stream()
                .filter(name -> name.matches("org\\.cabrank\\.(lf|stream|socket|epoll|iouring)\\b.*"))
                .filter(name -> !name.endsWith(".testkit"))
                .flatMap(name -> sources(PACKAGES.get(name)).map(file -> typeOf(name, file)))
                .flatMap(StabilityTest::withMembers)
                .toList();
        assertTrue(types.size() <= TYPES_MAX, types.size() + " types: " + types);
    }

    private static Stream<Class<?>> withMembers(Class<?> type) {
        return (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
                ? Stream.of()
                : Stream.concat(
                        Stream.of(type),
                        Arrays.stream(type.getDeclaredClasses()).flatMap(StabilityTest::withMembers));
    }

    @Test
    void theStablePackagesAreComparedWithTheLastRelease() {
        assertEquals(
                stablePackages(),
                Set.copyOf(POMS.texts("scripts/release/pom.xml", "//profile[id='api']//includes/include")));
    }

    /** A new method of such an interface is no finding of the comparison, so the comparison and the Javadoc must name the same ones. */
    @Test
    void interfacesThatOnlyCabrankImplementsAreThoseOfTheComparison() {
        Set<String> marked = new TreeSet<>();
        PACKAGES.forEach((name, directory) -> sources(directory)
                .filter(file -> read(file).contains(ONLY_CABRANK))
                .forEach(file -> marked.add(name + "." + simpleName(file))));
        assertTrue(marked.contains("org.cabrank.stream.Connection"), marked.toString());
        assertEquals(
                marked,
                QUOTED.matcher(read(POMS.root().resolve(".mvn/japicmp.groovy")))
                        .results()
                        .map(quoted -> quoted.group(1))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** A configuration is changed one setting at a time, beginning with a default, so that it can get settings. */
    @Test
    void eachSettingOfAConfigurationHasAMethodThatChangesIt() {
        List<String> wrong = new ArrayList<>();
        List<String> checked = new ArrayList<>();
        publicRecords().filter(StabilityTest::isMadeWithoutItsConstructor).forEach(type -> {
            int changed = parameters(type, method -> method.getName().startsWith("with"));
            if (changed > 0) {
                checked.add(type.getSimpleName());
                int settings = type.getRecordComponents().length;
                int begun = parameters(type, method -> Modifier.isStatic(method.getModifiers()));
                if (begun + changed < settings) {
                    wrong.add("%s has %d settings; factory methods take %d, and \"with...\" change %d"
                            .formatted(type.getSimpleName(), settings, begun, changed));
                }
            }
        });
        assertTrue(checked.containsAll(List.of("StreamLimits", "StreamTimeouts", "ListenOptions")), checked.toString());
        assertEquals(List.of(), wrong);
    }

    private static int parameters(Class<?> type, Predicate<Method> which) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getReturnType() == type)
                .filter(which)
                .mapToInt(Method::getParameterCount)
                .sum();
    }

    /** Other modules use constants, factories and {@code with} methods, as callers outside of Cabrank must. */
    @Test
    void canonicalConstructorsAreCalledInTheirModuleOnly() {
        String names = publicRecords()
                .filter(StabilityTest::isMadeWithoutItsConstructor)
                .map(Class::getSimpleName)
                .collect(Collectors.joining("|"));
        Pattern call = Pattern.compile("\\bnew (" + names + ")\\(");
        List<String> calls = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (String module : POMS.modules()) {
            Path directory = POMS.root().resolve(module + "/src/main");
            if (!Files.exists(directory)) {
                continue; // the BOM
            }
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file :
                        files.filter(name -> name.toString().endsWith(".java")).toList()) {
                    String source = read(file);
                    call.matcher(source).results().forEach(found -> {
                        seen.add(found.group(1));
                        if (!isDeclaredIn(directory, found.group(1)) && !source.contains("class " + found.group(1))) {
                            calls.add(file + ": " + found.group());
                        }
                    });
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        assertTrue(seen.contains("StreamLimits"), seen.toString());
        assertEquals(List.of(), calls);
    }

    private static boolean isDeclaredIn(Path directory, String simpleName) {
        return PACKAGES.values().stream()
                .anyMatch(exported ->
                        exported.startsWith(directory) && Files.exists(exported.resolve(simpleName + ".java")));
    }

    /** Returns true if there is a constant or a factory method. */
    private static boolean isMadeWithoutItsConstructor(Class<?> type) {
        return Stream.concat(
                        Arrays.stream(type.getFields()).filter(field -> field.getType() == type),
                        Arrays.stream(type.getMethods()).filter(method -> method.getReturnType() == type))
                .mapToInt(Member::getModifiers)
                .anyMatch(Modifier::isStatic);
    }
}
