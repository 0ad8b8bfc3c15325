package org.cabrank.bench.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Precision;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.CellTurn;
import org.cabrank.bench.scenario.Needs;
import org.cabrank.bench.scenario.Plan;
import org.cabrank.bench.scenario.Sequence;

/** The cells to measure in each round: all of them, or after each look those that the look has left. */
final class Agenda {

    private final Plan plan;
    private final Participants participants;
    private final Progress progress;
    private final long startNs = System.nanoTime();
    private List<CellTurn> turns;
    private double plannedNs;

    /** @param participants the contenders, of which at least one runs when a method is called */
    Agenda(Plan plan, Participants participants, Progress progress) {
        this.plan = plan;
        this.participants = participants;
        this.progress = progress;
        turns = plan.cells().stream()
                .map(cell -> new CellTurn(cell, plan.slices()))
                .toList();
    }

    /**
     * Returns the parts of the cells in {@code round}, by the group that they need; empty if the bench is done.
     *
     * @param runs all runs so far
     * @param say prints a line
     */
    Map<Needs, List<CellTurn>> turns(int round, List<RunRecord> runs, Consumer<String> say) {
        boolean look = plan.looks() != null && plan.looks().follows(round - 1);
        if (round > plan.rounds()) {
            return Map.of();
        }
        if (look) {
            long elapsedNs = System.nanoTime() - startNs;
            double pace = elapsedNs / Math.max(1, plannedNs);
            turns = sequence().next(round, runs, plan.timeNs() - elapsedNs, pace);
            say.accept(words(round - 1, runs));
            long rounds = turns.isEmpty() ? 0 : plan.looks().roundsBetween();
            progress.changed(Math.toIntExact(rounds * plan.turnsOf(turns)), rounds * plan.roundNs(turns));
        }
        plannedNs += plan.roundNs(turns);
        return turns.stream()
                .collect(Collectors.groupingBy(turn -> turn.cell().needs(), LinkedHashMap::new, Collectors.toList()));
    }

    private String words(int rounds, List<RunRecord> runs) {
        Precision precision = precision(runs);
        return String.format(
                Locale.ROOT,
                "After %d rounds %d of %d cells are precise within ± %.0f %%. %s",
                rounds,
                precision.settledCells(),
                precision.cells().size(),
                precision.target() * 100,
                turns.isEmpty()
                        ? "Nothing more is measured."
                        : "Measured again: "
                                + turns.stream()
                                        .map(turn -> turn.cell().id() + " × " + turn.slices())
                                        .collect(Collectors.joining(", "))
                                + ".");
    }

    /** The precision reached; null if the bench has a fixed plan. Any thread may call this. */
    Precision precision(List<RunRecord> runs) {
        return plan.looks() == null ? null : sequence().precision(runs);
    }

    private Sequence sequence() {
        Map<String, ContenderKind> kinds = new LinkedHashMap<>();
        participants.all().stream().filter(participants::runs).forEach(who -> kinds.put(who.name(), who.kind()));
        return new Sequence(plan, participants.baseline().name(), kinds);
    }
}
