package org.cabrank.bench.report.summary;

import java.util.Locale;
import org.cabrank.bench.report.statistics.Interval;

/** Formats figures. If a figure is missing, the text is a dash. */
public final class ReportFormats {

    public static final String NOTHING = "–";

    private static final double HUNDRED = 100;
    private static final double TEN = 10;

    private ReportFormats() {}

    public static String ratio(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : NOTHING;
    }

    /** Returns {@code 1.08 (1.05–1.11)}. */
    public static String interval(Interval interval) {
        return interval.known() ? ratio(interval.median()) + " (" + range(interval) + ")" : ratio(interval.median());
    }

    /** Returns {@code 1.05–1.11}. */
    public static String range(Interval interval) {
        return interval.known() ? ratio(interval.low()) + "–" + ratio(interval.high()) : NOTHING;
    }

    /** Returns about three digits, with commas: {@code 162,000}, {@code 42.1}, {@code 0.28}. */
    public static String of(Double value) {
        if (value == null || !Double.isFinite(value)) {
            return NOTHING;
        }
        double size = Math.abs(value);
        String format = size >= HUNDRED ? "%,.0f" : size >= TEN ? "%.1f" : size == 0 ? "%.0f" : "%.2f";
        return size > 0 && size < 0.005 ? "< 0.01" : String.format(Locale.ROOT, format, value);
    }

    public static String time(long ns) {
        double ms = ns / 1e6;
        return ms >= 1_000 ? String.format(Locale.ROOT, "%.1f s", ms / 1e3) : String.format(Locale.ROOT, "%.0f ms", ms);
    }
}
