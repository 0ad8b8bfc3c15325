package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.serve.EndSignals;
import org.cabrank.bench.text.StandardStream;

/** Runs the phases of a load. A phase ends after its time, when the generator ends, or at Ctrl-C. A second Ctrl-C ends the process. */
final class LoadTimes implements AutoCloseable {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int STATUS_OF_CTRL_C = 130;

    private final PrintWriter err;
    private final boolean shown = StandardStream.ERROR.terminal().isPresent();
    private final EndSignals.Watch ctrlC = EndSignals.watch("INT", this::interrupt);
    private volatile boolean interrupted;

    interface Generator {
        /** Waits for {@code ns}. Returns false early if all connections have failed. */
        boolean run(long ns) throws InterruptedException;
    }

    LoadTimes(PrintWriter err) {
        this.err = err;
    }

    private void interrupt() {
        if (interrupted) {
            Runtime.getRuntime().halt(STATUS_OF_CTRL_C);
        }
        interrupted = true;
    }

    void pass(String name, Duration time, Generator generator) throws InterruptedException {
        long wholeNs = time.toNanos();
        long beginNs = System.nanoTime();
        long shownS = 0;
        boolean running = true;
        for (long passedNs = 0; passedNs < wholeNs && running && !interrupted; ) {
            running = generator.run(Math.min(STEP_NS, wholeNs - passedNs));
            passedNs = System.nanoTime() - beginNs;
            long passedS = TimeUnit.NANOSECONDS.toSeconds(passedNs);
            if (shown && passedS > shownS) {
                shownS = passedS;
                show(String.format(Locale.ROOT, "%s: %d s of %s", name, passedS, seconds(wholeNs)));
            }
        }
        if (shownS > 0) {
            show("");
        }
    }

    private static String seconds(long ns) {
        double seconds = ns / 1e9;
        return seconds == Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }

    private void show(String line) {
        err.print("\r\033[K" + line);
        err.flush();
    }

    /** If Ctrl-C has ended the warm-up, prints that nothing was measured, and returns true. */
    boolean endedBeforeMeasuring() {
        if (interrupted) {
            err.println("ended by Ctrl-C during the warm-up: nothing was measured");
            err.flush();
        }
        return interrupted;
    }

    void printEnd() {
        if (interrupted) {
            err.println("ended by Ctrl-C: the result is that of the time until then");
            err.flush();
        }
    }

    /** From now on, Ctrl-C ends the process as usual. */
    @Override
    public void close() {
        ctrlC.close();
    }
}
