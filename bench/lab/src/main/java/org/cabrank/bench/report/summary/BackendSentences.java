package org.cabrank.bench.report.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.statistics.Verdict;

/** The first sentences of a report: io_uring against epoll on this machine, and each of them against Netty. */
public final class BackendSentences {

    private static final int CELLS_NAMED = 3;

    private BackendSentences() {}

    /** One or two sentences; none if no cell has Cabrank over io_uring and either Cabrank over epoll or Netty. */
    public static List<String> of(BenchReport report) {
        List<String> sentences = new ArrayList<>();
        List<Duel> backends = duels(report, named("cabrank-iouring"), named("cabrank-epoll"));
        if (!backends.isEmpty()) {
            sentences.add(between(backends));
        }
        List<Duel> ring = duels(report, named("cabrank-iouring"), named("netty-"));
        List<Duel> epoll = duels(report, named("cabrank-epoll"), named("netty-"));
        if (!ring.isEmpty() && !epoll.isEmpty()) {
            sentences.add("Against the best of Netty's transports, epoll: " + Headline.counts(epoll) + "; io_uring: "
                    + Headline.counts(ring) + ".");
        }
        return sentences;
    }

    private static Predicate<ContenderInfo> named(String prefix) {
        return info -> info.kind() != ContenderKind.CONTROL && info.name().startsWith(prefix);
    }

    private static List<Duel> duels(BenchReport report, Predicate<ContenderInfo> one, Predicate<ContenderInfo> other) {
        return report.scenarios().stream()
                .flatMap(scenario -> scenario.cells().stream())
                .map(cell -> Duel.in(cell, report, one, other))
                .flatMap(Optional::stream)
                .toList();
    }

    private static String between(List<Duel> duels) {
        List<Duel> differing = duels.stream()
                .filter(duel -> duel.verdict() == Verdict.BETTER || duel.verdict() == Verdict.WORSE)
                .sorted(Comparator.comparingDouble(
                                (Duel duel) -> Math.abs(Math.log(duel.ratio().median())))
                        .reversed())
                .toList();
        String named = differing.stream()
                .limit(CELLS_NAMED)
                .map(duel -> String.format(
                        "%s × epoll's %s in %s (%s)",
                        ReportFormats.ratio(duel.ratio().median()),
                        duel.quantity(),
                        duel.cell().id(),
                        ReportFormats.range(duel.ratio())))
                .collect(Collectors.joining(", "));
        String summary = "Compared with epoll, io_uring is " + Headline.counts(duels) + ".";
        return named.isEmpty()
                ? "On this machine io_uring and epoll: " + Headline.counts(duels) + "."
                : "On this machine io_uring reaches " + named + ". " + summary;
    }
}
