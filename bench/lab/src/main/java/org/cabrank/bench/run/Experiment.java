package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;

/**
 * An experiment: takes its turns one after the other, prints the table and writes the JSON file. If the user ends the
 * experiment early, its child processes are killed, and the finished turns are printed and written.
 */
public abstract class Experiment {

    private final Output output;
    private final Stage stage;
    private final Progress progress;
    private final List<RunRecord> finished = new ArrayList<>();
    private String stopped;

    /**
     * Output of an experiment.
     *
     * @param arguments the command line, for the report
     * @param jsonFile file for the report
     * @param out stream for the tables
     * @param err stream for the progress
     */
    public record Output(List<String> arguments, Path jsonFile, PrintStream out, PrintStream err) {
        public Output {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * @param turns number of turns
     * @param turnNs estimated time in ns of each turn
     */
    Experiment(Output output, Stage stage, int turns, double turnNs) {
        this.output = output;
        this.stage = stage;
        progress = new Progress(output.err(), Progress.onTerminal(), turns, turnNs, System.nanoTime());
    }

    /** Runs it; true when every turn went well, and there was one. */
    public boolean run() throws IOException, InterruptedException {
        stage.run(output.out(), this::takeTurns, this::endEarly);
        progress.clear();
        if (stopped != null) {
            say(stopped);
        }
        publish(stopped == null);
        List<RunRecord> results = finished();
        return !results.isEmpty() && results.stream().noneMatch(RunRecord::failed);
    }

    /** Takes all turns, until {@link #count} of a result returns false. */
    abstract void takeTurns() throws IOException, InterruptedException;

    /**
     * Makes the content of the JSON file. Also called on a thread of its own, when the user ends the experiment.
     *
     * @param complete true if every turn was taken or left out on purpose
     */
    abstract BenchReport report(List<RunRecord> results, boolean complete);

    /** Makes the printed table of {@code report}, which has at least one result. */
    abstract String table(BenchReport report);

    /** The JSON file of {@code report} has been written: other files of the experiment may follow. */
    abstract void written(BenchReport report) throws IOException;

    /** Counts {@code result}; false when the user has ended the experiment: then it does not count. */
    final boolean count(RunRecord result) throws InterruptedException {
        if (result.failed() ? stage.awaitEnding() : stage.ending()) {
            return false;
        }
        synchronized (finished) {
            finished.add(result);
        }
        return true;
    }

    final Progress progress() {
        return progress;
    }

    /** No turn follows, though not all were taken: {@code why} is printed, and the report is not complete. */
    final void stop(String why) {
        stopped = why;
    }

    /** The results so far; any thread. */
    final List<RunRecord> finished() {
        synchronized (finished) {
            return List.copyOf(finished);
        }
    }

    final Stage stage() {
        return stage;
    }

    /** The command line. */
    final List<String> arguments() {
        return output.arguments();
    }

    /** A line of its own among the tables. */
    final void say(String line) {
        output.out().println(line);
    }

    /** On a thread of its own, while the turn under way fails for want of its children. */
    private void endEarly() {
        progress.clear();
        say("Ended early: this is what was finished.");
        try {
            publish(false);
        } catch (IOException notWritten) {
            say("cannot write " + output.jsonFile() + ": " + notWritten.getMessage());
        }
        output.out().flush();
    }

    private void publish(boolean complete) throws IOException {
        List<RunRecord> results = finished();
        if (!results.isEmpty()) {
            BenchReport report = report(results, complete);
            output.out().println();
            output.out().print(table(report));
            JsonFile.write(report, output.jsonFile());
            say("Raw numbers: " + output.jsonFile());
            written(report);
        }
        output.out().flush();
    }
}
