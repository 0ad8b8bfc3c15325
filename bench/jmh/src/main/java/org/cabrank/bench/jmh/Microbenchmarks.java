package org.cabrank.bench.jmh;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The command {@code cabrank jmh}. It has JMH's command line. By default, results are in ns per operation and a run takes minutes. */
public final class Microbenchmarks {
    /** Maximum time of an iteration, which normally takes less than 1 s. JMH's default is 10 min. */
    private static final TimeValue TIMEOUT = TimeValue.seconds(30);

    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private static final String HELP = "Usage: cabrank jmh [--quick] [JMH's options] [PATTERN...]%n"
            + "Microbenchmarks of what everything else is made of; each PATTERN is a regular expression for their names, -l lists"
            + " them.%n%n"
            + "  --quick   %s instead of %s%n"
            + "  -h        this, and JMH's options:%n%n";

    private final PrintStream err;

    private Microbenchmarks(PrintStream err) {
        this.err = err;
    }

    public static void main(String[] arguments) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(Microbenchmarks::endForks, "end-forks"));
        System.exit(run(System.err, arguments));
    }

    /** Ends the JVMs that JMH has forked, because JMH does not end them after SIGTERM. */
    private static void endForks() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Returns the exit status: 0, 1 (a benchmark failed) or 2 (wrong usage). */
    static int run(PrintStream err, String... arguments) throws IOException {
        return new Microbenchmarks(err).run(List.of(arguments));
    }

    private int run(List<String> arguments) throws IOException {
        List<String> forJmh = new ArrayList<>(arguments);
        boolean quick = forJmh.removeIf("--quick"::equals);
        forJmh.replaceAll(argument -> argument.equals("--help") ? "-h" : argument);
        String[] rest = forJmh.toArray(String[]::new);
        CommandLineOptions users;
        try {
            users = new CommandLineOptions(rest);
        } catch (CommandLineOptionException wrong) {
            return refuse(wrong.getMessage());
        }
        if (users.shouldHelp()) {
            System.out.printf(HELP, RunLength.QUICK, RunLength.STANDARD);
        }
        if (users.shouldHelp()
                || users.shouldList()
                || users.shouldListWithParams()
                || users.shouldListProfilers()
                || users.shouldListResultFormats()) {
            Main.main(rest);
            return OK;
        }
        return run(users, quick ? RunLength.QUICK : RunLength.STANDARD);
    }

    private int run(CommandLineOptions users, RunLength length) {
        List<LeftOut> leftOut = LeftOut.here();
        Options options = options(users, length, leftOut);
        Set<String> chosen;
        try {
            chosen = names(options.getIncludes(), options.getExcludes());
        } catch (PatternSyntaxException wrong) {
            return refuse("'" + wrong.getPattern() + "' is no regular expression: " + wrong.getDescription());
        }
        leftOut.forEach(each -> say("left out: " + each));
        if (chosen.isEmpty()) {
            return refuse("no benchmark that can run here is called " + String.join(" or ", users.getIncludes())
                    + "; there are\n  " + String.join("\n  ", names(List.of(), patterns(leftOut))));
        }
        try {
            Collection<RunResult> results = new Runner(options).run();
            results.forEach(result -> chosen.remove(result.getParams().getBenchmark()));
        } catch (RunnerException failed) {
            say(failed.getMessage());
            return FAILED;
        }
        if (!chosen.isEmpty()) {
            say("without a result: " + String.join(", ", chosen));
            return FAILED;
        }
        return OK;
    }

    private static Options options(CommandLineOptions users, RunLength length, List<LeftOut> leftOut) {
        ChainedOptionsBuilder options = new OptionsBuilder().parent(users);
        length.fillIn(users, options);
        if (users.getBenchModes().isEmpty()) {
            options.mode(Mode.AverageTime);
        }
        if (!users.getTimeUnit().hasValue()) {
            options.timeUnit(TimeUnit.NANOSECONDS);
        }
        if (!users.getTimeout().hasValue()) {
            options.timeout(TIMEOUT);
        }
        patterns(leftOut).forEach(options::exclude);
        return options.build();
    }

    private static List<String> patterns(List<LeftOut> leftOut) {
        return leftOut.stream().map(LeftOut::benchmarks).toList();
    }

    private static Set<String> names(List<String> includes, List<String> excludes) {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        Set<String> names = new TreeSet<>();
        for (BenchmarkListEntry entry : BenchmarkList.defaultList().find(silent, includes, excludes)) {
            names.add(entry.getUsername());
        }
        return names;
    }

    private int refuse(String why) {
        say(why + "\n" + "see 'cabrank jmh -h'");
        return USAGE;
    }

    private void say(String words) {
        err.println("cabrank jmh: " + words);
    }
}
