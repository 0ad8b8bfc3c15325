package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Target;

/** The target about lost datagrams: at a fixed rate, the mode of Cabrank that loses least against the rival that loses least. */
final class DatagramLoss {

    private static final String NAME = "Datagrams lost";
    private static final String BAR =
            "64 and 1,200 bytes at a fixed rate: no larger part lost than by Netty and the bare C loop";

    private DatagramLoss() {}

    /** @param ratio 1 if neither loses any */
    private record Outcome(CellResult cell, ContenderResult own, ContenderResult rival, double ratio) {

        static Outcome of(CellResult cell, ContenderResult own, ContenderResult rival) {
            boolean equal = own.lostPercent().equals(rival.lostPercent());
            return new Outcome(cell, own, rival, equal ? 1 : own.lostPercent() / rival.lostPercent());
        }
    }

    /** Returns true for cells in which the load waits for answers. */
    static boolean closedLoop(String scenario, CellInfo cell) {
        return scenario.equals("datagrams") && cell.rateShare() == 0;
    }

    private static boolean fixedRate(String scenario, CellInfo cell) {
        return scenario.equals("datagrams") && cell.rateShare() > 0;
    }

    static Target target(Standings standings, Rivals netty, Rivals bareC) {
        Predicate<ContenderInfo> rivals = netty.who().or(bareC.who());
        List<Outcome> outcomes = standings
                .cells(DatagramLoss::fixedRate)
                .flatMap(cell -> least(standings, cell, info -> info.kind() == ContenderKind.CABRANK).stream()
                        .flatMap(own ->
                                least(standings, cell, rivals).stream().map(rival -> Outcome.of(cell, own, rival))))
                .toList();
        if (outcomes.isEmpty()) {
            return new Target(
                    NAME,
                    BAR,
                    Double.NaN,
                    Target.Outcome.NOT_MEASURED,
                    "this run has no cell with datagrams at a fixed rate, Cabrank and a rival");
        }
        Outcome worst = outcomes.stream()
                .max(Comparator.comparingDouble(Outcome::ratio))
                .orElseThrow();
        return new Target(
                NAME,
                BAR,
                worst.ratio(),
                worst.ratio() <= 1 ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                words(worst));
    }

    private static Optional<ContenderResult> least(Standings standings, CellResult cell, Predicate<ContenderInfo> who) {
        Stream<ContenderResult> told = standings.all(cell, who).filter(result -> result.lostPercent() != null);
        return told.min(Comparator.comparingDouble(ContenderResult::lostPercent));
    }

    private static String words(Outcome worst) {
        return String.format(
                Locale.ROOT,
                "%s: %s lost %.3f %%, %s %.3f %%",
                worst.cell().cell(),
                worst.own().contender(),
                worst.own().lostPercent(),
                worst.rival().contender(),
                worst.rival().lostPercent());
    }
}
