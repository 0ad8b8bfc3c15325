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

    /** Returns true if the rates differ by more than 10 %. */
    @JsonIgnore
    public boolean disagrees() {
        return !(Math.max(ratio.median(), 1 / ratio.median()) <= AGREEMENT);
    }

    /** A sentence. */
    public String words() {
        return String.format(
                Locale.ROOT,
                "Load generators %s in %s on %s: %s reported %,.0f requests/s, %s %,.0f, a ratio of %.2f (%.2f–%.2f).",
                disagrees() ? "DISAGREE by more than 10 %" : "agree",
                cell,
                contender,
                other,
                otherPerSecond,
                reference,
                referencePerSecond,
                ratio.median(),
                ratio.low(),
                ratio.high());
    }
}
