package org.cabrank.bench.run;

import java.io.PrintStream;
import java.util.Locale;

/** Shows the current run and the remaining time. On a terminal, one line is rewritten. Other output gets new lines. */
final class Progress {

    private static final String CLEAR_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean rewrites;
    private final long startNs;
    private final int turns;
    private final double guessedAllNs;
    private int turnsDone;
    private double guessedDoneNs;
    private String shown = "";

    Progress(PrintStream out, boolean rewrites, int turns, double guessedTurnNs, long nowNs) {
        this.out = out;
        this.rewrites = rewrites;
        this.turns = turns;
        guessedAllNs = turns * guessedTurnNs;
        startNs = nowNs;
    }

    /** If lines cannot be rewritten, prints a line only for a new round or topic. */
    void begins(String topic, String who, int round, int rounds, long nowNs) {
        String where = String.format(Locale.ROOT, "round %d of %d: %s", round, rounds, topic);
        String line = String.format(
                Locale.ROOT,
                "[%d/%d] %s%s, %s left",
                turnsDone + 1,
                turns,
                where,
                rewrites ? ", " + who : "",
                left(nowNs));
        if (rewrites) {
            out.print(CLEAR_LINE + line);
        } else if (!where.equals(shown)) {
            out.println(line);
        }
        shown = where;
        out.flush();
    }

    void ended(double guessedNs) {
        turnsDone++;
        guessedDoneNs += guessedNs;
    }

    void say(String line) {
        clear();
        out.println(line);
    }

    void clear() {
        if (rewrites) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    private String left(long nowNs) {
        // Scales the estimate by the ratio of actual to estimated time so far.
        double pace = guessedDoneNs == 0 ? 1 : (nowNs - startNs) / guessedDoneNs;
        long seconds = Math.max(0, Math.round(pace * (guessedAllNs - guessedDoneNs) / 1e9));
        return seconds < 60 ? seconds + " s" : seconds / 60 + " min " + seconds % 60 + " s";
    }
}
