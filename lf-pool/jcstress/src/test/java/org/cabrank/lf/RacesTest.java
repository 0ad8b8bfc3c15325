package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs jcstress races of this module, each in a process of its own, and reports each as a test: every race in a soak, and else those of
 * which the pattern has no race test that runs in each build.
 *
 * <p>{@code cabrank.jcstress.seconds} (default 2) is the total running time of all races in seconds, excluding the start
 * of their processes; each race runs once, compiled by C2. With {@code cabrank.soak.seconds} they run for about that many
 * seconds, in every compilation mode of jcstress. {@code cabrank.jcstress.select} is a regular expression that selects
 * other races. The output of jcstress and its HTML report are in {@code target/jcstress}.
 */
class RacesTest {
    private static final Path PLACE = Path.of(System.getProperty("cabrank.jcstress.directory"));
    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;
    private static final String SELECTION = System.getProperty(
            "cabrank.jcstress.select",
            SOAK ? ".*" : "FollowersRaces|WatcherRaces|PostedHandlesRaces|CallOrderRaces|StrandClaimRaces");

    /** Ways to compile two actors (each of them interpreted, by C1, by C2), under five settings of the compilers. */
    private static final int COMPILATIONS = 26;

    private static final long MS_MIN = 100;

    /** In the ways that compilers shuffle code, C2 is the one that does the most, and these make it do more. */
    private static final String COMPILER = "-XX:-TieredCompilation -XX:+StressLCM -XX:+StressGCM";

    @TestFactory
    Stream<DynamicTest> onlyAcceptableOutcomesAreSeen() throws IOException, InterruptedException {
        // There is no race on one CPU. The stress tests of lf-pool have threads take turns there.
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "a race takes two CPUs");
        List<String> races = TestList.tests().stream()
                .filter(race -> race.matches(".*(" + SELECTION + ").*"))
                .sorted()
                .toList();
        assertTrue(!races.isEmpty(), "no race is called " + SELECTION);
        run(races.size());
        TreeMap<String, TestResult> results = new TreeMap<>();
        for (TestResult result : ReportUtils.mergedByName(read())) {
            results.put(result.getName(), result);
        }
        return races.stream().map(race -> DynamicTest.dynamicTest(race, () -> check(race, results.get(race))));
    }

    private static void run(int races) throws IOException, InterruptedException {
        Files.createDirectories(PLACE);
        for (Path old : results()) {
            Files.delete(old);
        }
        long soakMs = TimeUnit.SECONDS.toMillis(Long.getLong("cabrank.soak.seconds", 0));
        long budgetMs = TimeUnit.SECONDS.toMillis(Long.getLong("cabrank.jcstress.seconds", 2));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", // JNA, by which jcstress pins its threads
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                SELECTION,
                "-r",
                "report",
                "-f",
                "1",
                "-fsm",
                "1",
                "-iters",
                "1",
                // A race touches few of the 256 MiB of each process; touching them all takes longer than many a race.
                "-pth",
                "false",
                "-time"));
        if (soakMs > 0) {
            command.add(String.valueOf(Math.max(MS_MIN, soakMs / races / COMPILATIONS)));
        } else {
            command.add(String.valueOf(Math.max(MS_MIN, budgetMs / races)));
            command.addAll(List.of("-sc", "false", "-jvmArgs", COMPILER));
        }
        File log = PLACE.resolve("jcstress.log").toFile();
        Process jcstress = new ProcessBuilder(command)
                .directory(PLACE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            // Forbidden outcomes make its exit status 1 as well; they are reported below, each by its race.
            int status = jcstress.waitFor();
            assertEquals(1, results().size(), "jcstress ended with status " + status + " and without results: " + log);
        } finally {
            jcstress.destroy();
        }
    }

    private static List<Path> results() throws IOException {
        try (Stream<Path> files = Files.list(PLACE)) {
            return files.filter(file -> file.toString().endsWith(".bin.gz")).toList();
        }
    }

    private static Collection<TestResult> read() throws IOException {
        InProcessCollector collector = new InProcessCollector();
        DiskReadCollector reader = new DiskReadCollector(results().get(0).toString(), collector);
        try {
            reader.dump();
        } catch (ClassNotFoundException e) {
            throw new IOException(e);
        } finally {
            reader.close();
        }
        return collector.getTestResults();
    }

    private static void check(String race, TestResult result) {
        assertTrue(result != null, () -> race + " was not run; see " + PLACE.resolve("jcstress.log"));
        assertEquals(Status.NORMAL, result.status(), () -> race + ": " + result.getMessages() + result.getVmErr());
        assertTrue(result.getTotalCount() > 0, () -> race + " was run, but never took place");
        List<String> forbidden = result.grading().gradingResults.values().stream()
                .filter(outcome -> outcome.count > 0 && outcome.expect.name().equals("FORBIDDEN"))
                .map(outcome -> "(" + outcome.id + ") seen " + outcome.count + " times")
                .toList();
        assertTrue(result.grading().isPassed, () -> race + " has forbidden outcomes: " + forbidden);
    }
}
