package org.cabrank.bench.report.summary;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.PerRequest;

/** Compares Cabrank's CPU time per request with the baseline's. If the baseline is Cabrank itself, the best Java peer replaces it. */
public final class CostSentence {

    private static final int FEW = 8;

    private CostSentence() {}

    /** Uses the first cell that has both figures and more than 8 connections. The only cell of a report may have fewer connections. */
    public static Optional<String> of(BenchReport report) {
        return report.cells().stream()
                .filter(cell -> report.cellInfo(cell.cell())
                        .filter(info ->
                                info.connections() > FEW || report.cells().size() == 1)
                        .isPresent())
                .map(cell -> sentence(report, cell))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> sentence(BenchReport report, CellResult cell) {
        return leanest(report, cell, ContenderKind.CABRANK)
                .flatMap(own -> rival(report, cell).map(rival -> sentence(cell, own, rival)));
    }

    private static Optional<ContenderResult> rival(BenchReport report, CellResult cell) {
        boolean ownBaseline = report.contenders().stream()
                .anyMatch(info ->
                        info.kind() == ContenderKind.CABRANK && info.name().equals(report.baseline()));
        return ownBaseline
                ? leanest(report, cell, ContenderKind.JAVA)
                : cell.contender(report.baseline()).filter(result -> userUs(result) > 0);
    }

    private static Optional<ContenderResult> leanest(BenchReport report, CellResult cell, ContenderKind kind) {
        return report.contenders().stream()
                .filter(info -> info.kind() == kind)
                .flatMap(info -> cell.contender(info.name()).stream())
                .filter(result -> userUs(result) > 0)
                .min(Comparator.comparingDouble(result -> totalUs(result.perRequest())));
    }

    private static String sentence(CellResult cell, ContenderResult own, ContenderResult rival) {
        PerRequest ownCosts = own.perRequest();
        PerRequest rivalCosts = rival.perRequest();
        return String.format(
                Locale.ROOT,
                "CPU per request in %s: %s %.2f µs, of which %.2f in user mode; %s %.2f µs, of which %.2f (ratios %.2f and"
                        + " %.2f).",
                cell.cell(),
                own.contender(),
                totalUs(ownCosts),
                ownCosts.userUs(),
                rival.contender(),
                totalUs(rivalCosts),
                rivalCosts.userUs(),
                totalUs(ownCosts) / totalUs(rivalCosts),
                ownCosts.userUs() / rivalCosts.userUs());
    }

    private static double userUs(ContenderResult result) {
        Double us = result.perRequest() == null ? null : result.perRequest().userUs();
        return us == null ? Double.NaN : us;
    }

    private static double totalUs(PerRequest costs) {
        return costs.userUs() + costs.systemUs() + costs.kernelThreadsUs();
    }
}
