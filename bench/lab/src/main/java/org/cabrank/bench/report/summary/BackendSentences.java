package org.cabrank.bench.report.summary;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.statistics.Verdict;

/** The first sentences of a report: io_uring against epoll on this machine, and each of them against Netty. */
public final class BackendSentences {

    private static final int CELLS_NAMED = 2;

    private BackendSentences() {}

    /** Up to three sentences; none if no cell has Cabrank over io_uring and either Cabrank over epoll or Netty. */
    public static List<String> of(BenchReport report) {
        return Stream.of(
                        between(report, "io_uring", "epoll", "cabrank-iouring", "cabrank-epoll"),
                        between(report, "Cabrank over epoll", "Netty", "cabrank-epoll", "netty-"),
                        between(report, "Cabrank over io_uring", "Netty", "cabrank-iouring", "netty-"))
                .filter(words -> !words.isEmpty())
                .toList();
    }

    /** Netty with its own transports, without the one of Cabrank. */
    private static Predicate<ContenderInfo> named(String prefix) {
        return info -> info.kind() != ContenderKind.CONTROL
                && info.name().startsWith(prefix)
                && !info.name().startsWith("netty-over-");
    }

    private static List<Duel> duels(BenchReport report, Predicate<ContenderInfo> one, Predicate<ContenderInfo> other) {
        return report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .map(cell -> Duel.in(cell, report, one, other))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Empty if no cell has both. In each cell the better of Netty's transports counts. */
    private static String between(BenchReport report, String one, String other, String prefix, String otherPrefix) {
        List<Duel> duels = duels(report, named(prefix), named(otherPrefix));
        List<Duel> differing = duels.stream()
                .filter(duel -> duel.verdict() == Verdict.BETTER || duel.verdict() == Verdict.WORSE)
                .sorted(Comparator.comparingDouble(
                                (Duel duel) -> Math.abs(Math.log(duel.ratio().median())))
                        .reversed())
                .toList();
        if (duels.isEmpty()) {
            return "";
        }
        if (differing.isEmpty()) {
            return one + " against " + other + ": " + Headline.counts(duels) + ".";
        }
        String named = differing.stream()
                .limit(CELLS_NAMED)
                .map(duel -> String.format(
                        "%s × %s's %s in %s (%s)",
                        ReportFormats.ratio(duel.ratio().median()),
                        other,
                        duel.quantity(),
                        duel.cell().id(),
                        ReportFormats.range(duel.ratio())))
                .collect(Collectors.joining(", "));
        return one + " reaches " + named + (duels.size() == 1 ? "." : "; in all, " + Headline.counts(duels) + ".");
    }
}
