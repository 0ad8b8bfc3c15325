package org.cabrank.bench.report.target;

import java.util.List;
import org.cabrank.bench.report.Pairs;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.statistics.LookSchedule;

/**
 * Raw numbers of a bench, for targets that compare contenders slice by slice.
 *
 * @param baseline contender that {@code control} is the second run of
 * @param control null without a second run
 * @param looks the looks by which the bench decided what to measure next; null if it had a fixed plan
 */
public record RawRuns(List<RunRecord> runs, String baseline, String control, LookSchedule looks) {

    /** Runs of a cell, as the last look saw them. */
    List<RunRecord> of(String cell) {
        int look = look(cell);
        return runs.stream()
                .filter(run -> run.cell().equals(cell))
                .filter(run -> look == 0 || run.round() <= looks.roundsBefore(look))
                .toList();
    }

    /** Probability of error that the comparisons of a cell may have together; 0 if the bench was ended before its first look. */
    double errorOf(String cell) {
        if (looks == null) {
            return 1 - Pairs.LEVEL;
        }
        int look = look(cell);
        return look == 0 ? 0 : looks.errorOf(look);
    }

    /** Number of the cell's last look; 0: none. */
    private int look(String cell) {
        int rounds = runs.stream()
                .filter(run -> run.cell().equals(cell))
                .mapToInt(RunRecord::round)
                .max()
                .orElse(0);
        return looks == null ? 0 : looks.lookAfter(rounds);
    }
}
