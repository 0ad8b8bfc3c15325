package org.cabrank.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark with all of its parameters, in this JVM and for no longer than it takes to see that it works. */
abstract class EveryBenchmarkContract {
    private final String own;

    /** @param own a regular expression for the names of the module's benchmarks, some of which there must be */
    EveryBenchmarkContract(String own) {
        this.own = own;
    }

    @TestFactory
    Stream<DynamicTest> everyBenchmarkRuns() {
        Set<String> names = new TreeSet<>();
        BenchmarkList.defaultList()
                .find(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of(own), List.of())
                .forEach(entry -> names.add(entry.getUsername()));
        assertFalse(names.isEmpty(), "no benchmark is called " + own);
        List<LeftOut> leftOut = LeftOut.here();
        return names.stream().map(name -> DynamicTest.dynamicTest(name, () -> run(name, leftOut)));
    }

    private static void run(String name, List<LeftOut> leftOut) throws RunnerException {
        for (LeftOut each : leftOut) {
            if (Pattern.compile(each.benchmarks()).matcher(name).find()) {
                abort(each.toString());
            }
        }
        Options briefly = new OptionsBuilder()
                .include("^" + Pattern.quote(name) + "$")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .timeout(TimeValue.seconds(60))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(briefly).run();
        assertFalse(results.isEmpty());
        for (RunResult result : results) {
            assertEquals(name, result.getParams().getBenchmark());
            assertTrue(result.getPrimaryResult().getScore() > 0, () -> name + " scored nothing");
        }
    }
}
