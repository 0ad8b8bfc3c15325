package org.cabrank.bench.report;

import java.util.List;
import org.cabrank.bench.report.statistics.SignTest;

/**
 * Lost datagrams of two contenders, compared slice by slice. Losses come in bursts: in most slices nobody loses any, in some a pause of
 * the host costs hundreds, whoever serves. A sum over slices is a sum over those few pauses. A pause moves the number of slices in which
 * one contender loses a larger part by one at most. Answers that the load generator had no room for do not count as lost.
 *
 * @param more number of slices in which the first contender lost a larger part
 * @param less number of slices in which it lost a smaller part
 * @param equal number of slices in which both lost the same part, mostly none
 */
public record LossPairs(int more, int less, int equal) {

    /** Compares {@code one} with {@code other} in each round and slice of one cell's {@code runs} in which both went well. */
    public static LossPairs of(List<RunRecord> runs, String one, String other) {
        int[] counts = new int[3];
        List<RunRecord> partners = of(runs, other);
        for (RunRecord run : of(runs, one)) {
            for (RunRecord partner : partners) {
                if (partner.round() == run.round() && partner.slice() == run.slice()) {
                    counts[1 + Integer.signum(Double.compare(lost(run), lost(partner)))]++;
                }
            }
        }
        return new LossPairs(counts[2], counts[0], counts[1]);
    }

    private static List<RunRecord> of(List<RunRecord> runs, String contender) {
        return runs.stream()
                .filter(run -> run.contender().equals(contender)
                        && run.compared()
                        && run.measured().datagrams() != null)
                .toList();
    }

    private static double lost(RunRecord run) {
        DatagramCounts datagrams = run.measured().datagrams();
        long byServer = Math.max(0, datagrams.lost() - datagrams.loadDrops());
        return datagrams.sent() == 0 ? 0 : (double) byServer / datagrams.sent();
    }

    /** Number of slices that both have. */
    public int count() {
        return more + less + equal;
    }

    /**
     * Returns the probability with which chance alone makes the first contender lose more in so many of the slices that differ. Slices
     * with equal losses do not count (sign test).
     */
    public double chanceOfMore() {
        return SignTest.chance(more, more + less);
    }

    /** Returns the probability with which chance alone makes the first contender lose less in so many of the slices that differ. */
    public double chanceOfLess() {
        return SignTest.chance(less, more + less);
    }

    /**
     * Returns true if the slices are enough to see that the first contender loses more, should it do so, with a probability of error of
     * {@code error}: those that differ, or all of them if it has lost more in no more slices than the second contender.
     */
    public boolean enough(double error) {
        int needed = SignTest.needed(error);
        return more + less >= needed || more <= less && count() >= needed;
    }
}
