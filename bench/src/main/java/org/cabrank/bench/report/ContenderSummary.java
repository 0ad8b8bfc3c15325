package org.cabrank.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.RunRecord.Measured;

/**
 * One contender over all rounds. Medians of the rounds where nothing else is said; NaN where no round went well.
 *
 * @param rounds how many rounds went well
 * @param failures how many did not
 * @param ratio the median over the rounds of its requests/s divided by the baseline's of the same round
 * @param maxUs the highest of all rounds
 * @param userUsPerRequest the CPU time of the median round, divided by the ticks of all rounds together
 * @param ringThreadsUsPerRequest the part of the system time that the kernel's threads for io_uring rings took
 * @param serverBusy how many CPUs the server kept busy: when that is less than it had, something else was the limit
 */
public record ContenderSummary(
        String contender,
        int rounds,
        int failures,
        double requestsPerSecond,
        double requestsPerSecondMin,
        double requestsPerSecondMax,
        double ratio,
        double p50Us,
        double p99Us,
        double p999Us,
        double maxUs,
        double userUsPerRequest,
        double systemUsPerRequest,
        double ringThreadsUsPerRequest,
        double switchesPerRequest,
        double bytesPerRequest,
        double startMs,
        double serverBusy,
        double loadBusy) {

    /** Summarizes {@code contender}'s runs among {@code runs}, with ratios against {@code baseline}. */
    public static ContenderSummary of(String contender, String baseline, List<RunRecord> runs) {
        List<RunRecord> own =
                runs.stream().filter(run -> run.contender().equals(contender)).toList();
        List<RunRecord> good = own.stream().filter(run -> !run.failed()).toList();
        List<Measured> measured = good.stream().map(RunRecord::measured).toList();
        List<Double> rates = each(measured, Measured::requestsPerSecond);
        double cpuUs = median(measured, run -> run.server().cpuNs() / 1e3 / run.answers());
        double userShare = userShare(measured);
        return new ContenderSummary(
                contender,
                good.size(),
                own.size() - good.size(),
                Statistics.median(rates),
                Statistics.min(rates),
                Statistics.max(rates),
                Statistics.median(ratios(good, baseline, runs)),
                median(measured, run -> run.latency().p50Ns() / 1e3),
                median(measured, run -> run.latency().p99Ns() / 1e3),
                median(measured, run -> run.latency().p999Ns() / 1e3),
                Statistics.max(each(measured, run -> run.latency().maxNs() / 1e3)),
                cpuUs * userShare,
                cpuUs * (1 - userShare),
                median(measured, run -> run.server().ringThreadsNs() / 1e3 / run.answers()),
                median(measured, run -> (double) run.server().switches() / run.answers()),
                median(measured, run -> (double) run.serverAllocatedBytes() / run.answers()),
                Statistics.median(good.stream()
                        .map(run -> run.startToFirstAnswerNs() / 1e6)
                        .toList()),
                median(measured, run -> run.server().cpusBusy()),
                median(measured, run -> run.load().cpusBusy()));
    }

    /** Ticks are few in one round and sample only: those of all rounds together tell more. */
    private static double userShare(List<Measured> measured) {
        long user = measured.stream().mapToLong(run -> run.server().userTicks()).sum();
        long system =
                measured.stream().mapToLong(run -> run.server().systemTicks()).sum();
        return user + system == 0 ? 0 : (double) user / (user + system);
    }

    private static List<Double> ratios(List<RunRecord> good, String baseline, List<RunRecord> runs) {
        return good.stream()
                .flatMap(run -> runs.stream()
                        .filter(other ->
                                other.contender().equals(baseline) && other.round() == run.round() && !other.failed())
                        .map(other -> run.measured().requestsPerSecond()
                                / other.measured().requestsPerSecond()))
                .toList();
    }

    private static double median(List<Measured> measured, ToDoubleFunction<Measured> value) {
        return Statistics.median(each(measured, value));
    }

    private static List<Double> each(List<Measured> measured, ToDoubleFunction<Measured> value) {
        return measured.stream().map(value::applyAsDouble).toList();
    }
}
