package org.cabrank.bench.report;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.SignTest;

/** Compares two contenders by pairs of runs. Both runs are of the same round and slice, so a change of the machine affects both. */
public final class Pairs {

    public static final double LEVEL = 0.95;

    private Pairs() {}

    /** Returns the ratios of {@code contender} to {@code other} by round. Rounds without a pair of successful runs are absent. */
    public static SortedMap<Integer, List<Double>> byRound(
            List<RunRecord> runs, String contender, String other, Metric metric) {
        SortedMap<Integer, List<Double>> rounds = new TreeMap<>();
        List<RunRecord> partners = of(runs, other);
        for (RunRecord run : of(runs, contender)) {
            for (RunRecord partner : partners) {
                if (partner.round() == run.round() && partner.slice() == run.slice()) {
                    double ratio = metric.of(run.measured()) / metric.of(partner.measured());
                    if (ratio > 0 && !Double.isInfinite(ratio)) {
                        rounds.merge(run.round(), List.of(ratio), Pairs::joined);
                    }
                }
            }
        }
        return rounds;
    }

    public static SortedMap<Integer, List<Double>> valuesByRound(
            List<RunRecord> runs, String contender, Metric metric) {
        SortedMap<Integer, List<Double>> rounds = new TreeMap<>();
        for (RunRecord run : of(runs, contender)) {
            double value = metric.of(run.measured());
            if (value > 0 && !Double.isInfinite(value)) {
                rounds.merge(run.round(), List.of(value), Pairs::joined);
            }
        }
        return rounds;
    }

    public static Interval interval(List<RunRecord> runs, String contender, String other, Metric metric) {
        return SignTest.interval(
                byRound(runs, contender, other, metric).values().stream()
                        .flatMap(List::stream)
                        .toList(),
                LEVEL);
    }

    private static List<RunRecord> of(List<RunRecord> runs, String contender) {
        return runs.stream()
                .filter(run -> run.contender().equals(contender) && run.compared())
                .toList();
    }

    private static List<Double> joined(List<Double> some, List<Double> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
