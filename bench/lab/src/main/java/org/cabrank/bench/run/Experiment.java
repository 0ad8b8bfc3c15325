package org.cabrank.bench.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.report.JsonFile;

/**
 * An experiment: takes its turns one after the other, prints the table and writes the JSON file. If the user ends the
 * experiment early, its child processes are killed, and the finished turns are printed and written.
 *
 * @param <R> the result of a turn
 * @param <T> the report of all results
 */
public abstract class Experiment<R, T> {

    private final Output output;
    private final Stage stage;
    private final Progress progress;
    private final List<R> finished = new ArrayList<>();
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
    protected Experiment(Output output, Stage stage, int turns, double turnNs) {
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
        List<R> results = finished();
        return !results.isEmpty() && results.stream().noneMatch(this::failed);
    }

    /** Takes all turns, until {@link #count} of a result returns false. */
    protected abstract void takeTurns() throws IOException, InterruptedException;

    /** Returns true if the turn failed. */
    protected abstract boolean failed(R result);

    /**
     * Makes the content of the JSON file. Also called on a thread of its own, when the user ends the experiment.
     *
     * @param complete true if every turn was taken or left out on purpose
     */
    protected abstract T report(List<R> results, boolean complete);

    /** Makes the printed table of {@code report}, which has at least one result. */
    protected abstract String table(T report);

    /** The JSON file of {@code report} has been written: other files of the experiment may follow. */
    protected void written(T report) throws IOException {}

    /** Counts {@code result}; false when the user has ended the experiment: then it does not count. */
    protected final boolean count(R result) throws InterruptedException {
        if (failed(result) ? stage.awaitEnding() : stage.ending()) {
            return false;
        }
        synchronized (finished) {
            finished.add(result);
        }
        return true;
    }

    protected final Progress progress() {
        return progress;
    }

    /** No turn follows, though not all were taken: {@code why} is printed, and the report is not complete. */
    protected final void stop(String why) {
        stopped = why;
    }

    /** The results so far; any thread. */
    protected final List<R> finished() {
        synchronized (finished) {
            return List.copyOf(finished);
        }
    }

    protected final Stage stage() {
        return stage;
    }

    /** The command line. */
    protected final List<String> arguments() {
        return output.arguments();
    }

    /** A line of its own among the tables. */
    protected final void say(String line) {
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
        List<R> results = finished();
        if (!results.isEmpty()) {
            T report = report(results, complete);
            output.out().println();
            output.out().print(table(report));
            JsonFile.write(report, output.jsonFile());
            say("Raw numbers: " + output.jsonFile());
            written(report);
        }
        output.out().flush();
    }
}
