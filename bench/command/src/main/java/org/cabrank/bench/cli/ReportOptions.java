package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.cabrank.bench.run.Experiment;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Flags for the output of an experiment, and the exit status of its command. */
final class ReportOptions {

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the raw numbers go (default: cabrank-${COMMAND-NAME}-TIME.json in target, where this"
                    + " directory has one, else in this directory).")
    private Path json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Makes an experiment of a command's flags. */
    @FunctionalInterface
    interface Plan {
        /** @throws IllegalArgumentException when the flags are wrong, saying how */
        Experiment with(Experiment.Output output) throws IOException;
    }

    /**
     * Runs the experiment of a command under {@code bench}, and returns the exit status.
     *
     * @throws ParameterException if the flags are wrong, or are in a place where they have no effect
     */
    int runBelowBench(Plan plan) throws IOException, InterruptedException {
        BenchCommand.refuseFlagsBefore(command);
        return run(plan);
    }

    /**
     * Runs the experiment that {@code plan} makes, and returns the exit status.
     *
     * @throws ParameterException when the flags are wrong
     */
    int run(Plan plan) throws IOException, InterruptedException {
        Experiment experiment;
        try {
            experiment = plan.with(new Experiment.Output(
                    command.root().commandLine().getParseResult().originalArgs(), file(), System.out, System.err));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), wrong.getMessage(), wrong);
        }
        return experiment.run() ? 0 : Errors.FAILED;
    }

    private Path file() {
        return json == null ? ReportFile.named("cabrank-" + command.name()) : json;
    }
}
