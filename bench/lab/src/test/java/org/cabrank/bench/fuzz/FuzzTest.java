package org.cabrank.bench.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each fuzz target under Jazzer, in a JVM of its own: the fuzzer instruments the classes of its process, and other tests
 * must not be measured with them. Starts from the seeds beside this class. An input that fails is printed in Base64; it
 * belongs among the seeds ({@link FuzzSeedsTest}), with which every target is called in each run of the tests.
 *
 * <p>Only in a soak: each target takes a tenth of {@code cabrank.soak.seconds}. {@code cabrank.fuzz.seconds} sets the time otherwise.
 */
@Once
final class FuzzTest {
    private static final long SECONDS =
            Long.getLong("cabrank.fuzz.seconds", Long.getLong("cabrank.soak.seconds", 0) / 10);

    /** Hooks that look for injections into SQL, LDAP and the like; without them the fuzzer starts in half the time. */
    private static final List<String> DISABLED_HOOKS = Stream.of(
                    "BigDecimal",
                    "ClojureLangHooks",
                    "Deserialization",
                    "ExpressionLanguageInjection",
                    "FilePathTraversal",
                    "LdapInjection",
                    "NamingContextLookup",
                    "OsCommandInjection",
                    "ReflectiveCall",
                    "RegexInjection",
                    "RegexRoadblocks",
                    "ScriptEngineInjection",
                    "ServerSideRequestForgery",
                    "SqlInjection",
                    "TemplateInjection",
                    "UnsafeSanitizer",
                    "XPathInjection",
                    "XmlParserSsrfGuidance")
            .map(name -> "com.code_intelligence.jazzer.sanitizers." + name)
            .toList();

    private static final long COMPILED_SECONDS = 10;
    private static final long PATIENCE_SECONDS = SECONDS + 300;
    private static final int INPUT_TIMEOUT_SECONDS = 60;
    private static final int LINES_MAX = 60;

    static Stream<Class<?>> targets() {
        return Stream.of(HttpFuzz.class, HttpResponseFuzz.class, StreamFuzz.class);
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(7_200)
    void noInputBreaksTheTarget(Class<?> target, @TempDir Path directory) throws Exception {
        assumeTrue(SECONDS > 0, "only in a soak");
        assumeTrue(fuzzerHere(), "the fuzzer has no library for " + System.getProperty("os.arch"));
        Path corpus = Files.createDirectory(directory.resolve("corpus"));
        Path log = directory.resolve("log");
        Process fuzzer = new ProcessBuilder(command(target, directory, corpus))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertTrue(fuzzer.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> "still running: " + tail(log));
            assertEquals(0, fuzzer.exitValue(), () -> tail(log));
            String text = Files.readString(log, StandardCharsets.ISO_8859_1);
            assertTrue(text.contains("DONE"), () -> tail(log));
            assertTrue(text.contains(" cov: "), () -> "the classes are not instrumented: " + tail(log));
            System.out.println("fuzzed " + target.getSimpleName() + ": "
                    + text.lines()
                            .filter(line -> line.startsWith("Done "))
                            .findFirst()
                            .orElse("?"));
        } finally {
            fuzzer.destroyForcibly().onExit().join();
        }
    }

    private static boolean fuzzerHere() {
        return List.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
    }

    private static List<String> command(Class<?> target, Path directory, Path corpus)
            throws IOException, URISyntaxException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+IgnoreUnrecognizedVMOptions");
        if (SECONDS < COMPILED_SECONDS) {
            command.add("-XX:TieredStopAtLevel=1"); // the slower compiler is not ready before the end
        }
        command.add("-XX:+EnableDynamicAgentLoading");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Xmx512m");
        command.add("-Dcabrank.checkBuffers=true");
        command.addAll(
                List.of("-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.add("com.code_intelligence.jazzer.Jazzer");
        command.add("--target_class=" + target.getName());
        command.add("--instrumentation_includes=org.cabrank.bench.http.**:org.cabrank.http.**"
                + ":org.cabrank.stream.**:org.cabrank.epoll.**:org.cabrank.iouring.**");
        command.add("--disabled_hooks=" + String.join(":", DISABLED_HOOKS));
        command.add("--reproducer_path=" + directory);
        command.add("-artifact_prefix=" + directory + "/");
        command.add("-max_total_time=" + SECONDS);
        command.add("-timeout=" + INPUT_TIMEOUT_SECONDS);
        command.add("-print_final_stats=1");
        command.add(corpus.toString());
        command.add(seeds(target).toString());
        return command;
    }

    /** The directory of a target's seeds. */
    static Path seeds(Class<?> target) throws URISyntaxException {
        return Path.of(FuzzTest.class.getResource(target.getSimpleName()).toURI());
    }

    private static String tail(Path log) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - LINES_MAX), all.size()));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
