package org.cabrank.bench.report.summary;

import java.util.ArrayList;
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

/** The first sentences of a report. They compare io_uring with epoll on this machine, and each of the two with Netty. */
public final class BackendSentences {

    private static final int CELLS_NAMED = 2;

    private BackendSentences() {}

    /** Returns up to three sentences. A comparison is absent if no cell has both sides. */
    public static List<String> of(BenchReport report) {
        return Stream.of(
                        between(report, "On this machine ", "io_uring", "epoll", "cabrank-iouring", "cabrank-epoll"),
                        between(report, "", "Cabrank over epoll", "Netty", "cabrank-epoll", "netty-"),
                        between(report, "", "Cabrank over io_uring", "Netty", "cabrank-iouring", "netty-"))
                .filter(words -> !words.isEmpty())
                .toList();
    }

    /** Excludes Netty over Cabrank's transport. */
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

    /** Compares the best contender of each side. Returns an empty text if no cell has both sides. */
    private static String between(
            BenchReport report, String place, String one, String other, String prefix, String otherPrefix) {
        List<Duel> duels = duels(report, named(prefix), named(otherPrefix));
        List<Duel> differing = duels.stream()
                .filter(duel -> duel.verdict().differs())
                .sorted(Comparator.comparingDouble(
                                (Duel duel) -> Math.abs(Math.log(duel.ratio().median())))
                        .reversed())
                .toList();
        List<String> parts = new ArrayList<>();
        if (!differing.isEmpty()) {
            parts.add(differing.stream()
                    .limit(CELLS_NAMED)
                    .map(duel -> String.format(
                            "%s × %s's %s in %s (%s)",
                            ReportFormats.ratio(duel.ratio().median()),
                            other,
                            duel.quantity(),
                            duel.cell().id(),
                            ReportFormats.range(duel.ratio())))
                    .collect(Collectors.joining(", ", one + " reaches ", "")));
        }
        if (differing.size() > CELLS_NAMED) {
            parts.add(one + " is " + better(differing.subList(CELLS_NAMED, differing.size())));
        }
        String both = one + " and " + other;
        add(
                parts,
                both + " differ by less than 5 % in ",
                "they differ by less than 5 % in ",
                duels,
                Verdict.NO_DIFFERENCE_SEEN);
        add(
                parts,
                "this run cannot tell " + one + " from " + other + " in ",
                "this run cannot tell them apart in ",
                duels,
                Verdict.CANNOT_TELL);
        add(
                parts,
                "there are too few measurements of " + both + " in ",
                "there are too few measurements in ",
                duels,
                Verdict.TOO_FEW_PAIRS);
        return parts.isEmpty() ? "" : sentence(place + String.join("; ", parts));
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    /** Returns a text such as {@code better in ping-pong/64x64B, worse in ping-pong/1x64B}. */
    private static String better(List<Duel> differing) {
        List<String> parts = new ArrayList<>();
        add(parts, "better in ", "better in ", differing, Verdict.BETTER);
        add(parts, "worse in ", "worse in ", differing, Verdict.WORSE);
        return String.join(", ", parts);
    }

    /** Adds the cells with {@code verdict}, after {@code first} if {@code parts} is empty, and otherwise after {@code later}. */
    private static void add(List<String> parts, String first, String later, List<Duel> duels, Verdict verdict) {
        List<String> cells = duels.stream()
                .filter(duel -> duel.verdict() == verdict)
                .map(duel -> duel.cell().id())
                .toList();
        if (!cells.isEmpty()) {
            parts.add((parts.isEmpty() ? first : later) + String.join(", ", cells));
        }
    }
}
