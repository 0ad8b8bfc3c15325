package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.PerRequest;
import org.cabrank.bench.report.Target;

/**
 * The target about CPU time in user mode. The kernel divides CPU time by timer ticks, a dozen of which meet user mode in a cell:
 * so all cells are looked at together, for one request of each, and the mode is chosen by its CPU time, which is exact. The
 * least of several samples would be whoever was met by fewest ticks.
 */
final class UserCpu {

    private static final double FACTOR_MAX = 0.40;

    private static final String NAME = "User CPU";
    private static final String BAR =
            "ping-pong and pipelined, 8 connections and more, one request of each together: user CPU at most 0.40 of"
                    + " Netty epoll's";

    private UserCpu() {}

    /** One server's requests, one of each cell. */
    private record Sum(String contender, double cpuUs, double userUs, long userTicks) {}

    static Target target(Standings standings, BiPredicate<String, CellInfo> wanted, Predicate<ContenderInfo> rival) {
        List<ContenderInfo> rivals =
                standings.contenders().stream().filter(rival).toList();
        List<CellResult> cells = standings
                .cells(wanted)
                .filter(cell -> rivals.stream().anyMatch(info -> isTold(cell, info)))
                .toList();
        List<Sum> own = sums(standings, cells, info -> info.kind() == ContenderKind.CABRANK);
        List<Sum> others = sums(standings, cells, rival);
        if (own.isEmpty() || others.isEmpty()) {
            return new Target(
                    NAME,
                    BAR,
                    Double.NaN,
                    Target.Outcome.NOT_MEASURED,
                    "this run has no cell in which ticks have met a mode of Cabrank and Netty's epoll in user mode");
        }
        Comparator<Sum> byCpu = Comparator.comparingDouble(Sum::cpuUs);
        Sum best = own.stream().min(byCpu).orElseThrow();
        Sum other = others.stream().min(byCpu).orElseThrow();
        double ratio = best.userUs() / other.userUs();
        return new Target(
                NAME,
                BAR,
                ratio,
                ratio <= FACTOR_MAX ? Target.Outcome.REACHED : Target.Outcome.MISSED,
                words(best, other, cells.size()));
    }

    private static String words(Sum own, Sum other, int cells) {
        return String.format(
                Locale.ROOT,
                "%s, which takes least CPU time, with %.2f µs against %s with %.2f in %d cells; by %d and %d timer ticks,"
                        + " so to about %.0f %%",
                own.contender(),
                own.userUs(),
                other.contender(),
                other.userUs(),
                cells,
                own.userTicks(),
                other.userTicks(),
                100 * Math.sqrt(1.0 / own.userTicks() + 1.0 / other.userTicks()));
    }

    /** Sums over the cells, for each contender whose CPU time is known in every one of them. */
    private static List<Sum> sums(Standings standings, List<CellResult> cells, Predicate<ContenderInfo> who) {
        return standings.contenders().stream()
                .filter(who)
                .filter(info -> cells.stream().allMatch(cell -> isTold(cell, info)))
                .map(info -> new Sum(
                        info.name(),
                        of(cells, info).mapToDouble(UserCpu::cpuUs).sum(),
                        of(cells, info).mapToDouble(PerRequest::userUs).sum(),
                        of(cells, info).mapToLong(PerRequest::userTicks).sum()))
                .filter(sum -> sum.userTicks() > 0)
                .toList();
    }

    private static boolean isTold(CellResult cell, ContenderInfo info) {
        return cell.contender(info.name())
                .map(result ->
                        result.perRequest() != null && result.perRequest().userUs() != null)
                .orElse(false);
    }

    private static Stream<PerRequest> of(List<CellResult> cells, ContenderInfo info) {
        return cells.stream()
                .flatMap(cell -> cell.contender(info.name()).stream())
                .map(ContenderResult::perRequest);
    }

    private static double cpuUs(PerRequest request) {
        return request.userUs() + request.systemUs() + request.kernelThreadsUs();
    }
}
