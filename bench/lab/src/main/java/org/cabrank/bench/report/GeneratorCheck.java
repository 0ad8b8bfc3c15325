package org.cabrank.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;
import org.cabrank.bench.report.statistics.Interval;

/**
 * Check of a load generator against another one, on the same server in the same run.
 *
 * @param cell id of the cell whose load both sent
 * @param contender name of the server
 * @param reference generator that measured the contenders; or the rate that a generator was asked for
 * @param other generator that was checked against it
 * @param referencePerSecond median of the requests per second that the reference reported, or the rate asked for
 * @param otherPerSecond the same of the other generator
 * @param ratio the other generator's requests per second in terms of the reference's, turn by turn
 */
public record GeneratorCheck(
        String cell,
        String contender,
        String reference,
        String other,
        double referencePerSecond,
        double otherPerSecond,
        Interval ratio) {

    /** Generators agree if their rates differ by no more than this factor. */
    private static final double AGREEMENT = 1.1;

    /** Outcome of a check. */
    public enum Outcome {
        /** The whole interval of the ratio is within 10 %. */
        AGREE,

        /** The whole interval of the ratio is beyond 10 %. */
        DISAGREE,

        /** The interval of the ratio spans 10 %, or there are too few turns for an interval. */
        CANNOT_TELL
    }

    @JsonIgnore
    public Outcome outcome() {
        if (!ratio.known()) {
            return Outcome.CANNOT_TELL;
        }
        if (ratio.low() >= 1 / AGREEMENT && ratio.high() <= AGREEMENT) {
            return Outcome.AGREE;
        }
        return ratio.high() < 1 / AGREEMENT || ratio.low() > AGREEMENT ? Outcome.DISAGREE : Outcome.CANNOT_TELL;
    }

    /** A sentence. */
    public String words() {
        String outcome = switch (outcome()) {
            case AGREE -> "Load generators agree within 10 %";
            case DISAGREE -> "Load generators DISAGREE by more than 10 %";
            case CANNOT_TELL -> "Load generators differ by 10 % or less, or by more: the noise does not tell";
        };
        String interval = ratio.known()
                ? String.format(
                        Locale.ROOT, "%.0f %% interval %.2f–%.2f", ratio.level() * 100, ratio.low(), ratio.high())
                : "no interval from " + ratio.pairs() + " turns";
        return String.format(
                Locale.ROOT,
                "%s, in %s on %s: %s reported %,.0f requests/s, %s %,.0f, a ratio of %.2f (%s).",
                outcome,
                cell,
                contender,
                other,
                otherPerSecond,
                reference,
                referencePerSecond,
                ratio.median(),
                interval);
    }
}
