package org.cabrank.bench.live;

import java.util.Locale;

final class LiveFormats {
    private static final double EXACT_BELOW = 100;

    private LiveFormats() {}

    /** Formats a number such as 153,510. A number below 100 has one decimal, such as 0.5, if it is not whole. */
    static String rate(double perSecond) {
        boolean whole = perSecond >= EXACT_BELOW || perSecond == Math.rint(perSecond);
        return String.format(Locale.ROOT, whole ? "%,.0f" : "%.1f", perSecond);
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Formats a time with three or more digits, such as 850ns, 12.3us, 1.20ms or 137s. */
    static String time(long ns) {
        if (ns < 1_000) {
            return ns + "ns";
        }
        if (ns < 1_000_000) {
            return threeDigits(ns / 1e3) + "us";
        }
        return ns < 1_000_000_000 ? threeDigits(ns / 1e6) + "ms" : threeDigits(ns / 1e9) + "s";
    }

    /** Formats a time such as 10s or 0.5s, rounded to a tenth of a second. */
    static String seconds(long ns) {
        return rate(Math.round(ns / 1e8) / 10.0) + "s";
    }

    /** Formats a time such as 0:07, 12:34 or 1:02:03. */
    static String clock(long ns) {
        long seconds = ns / 1_000_000_000;
        long minutes = seconds / 60;
        return minutes < 60
                ? String.format(Locale.ROOT, "%d:%02d", minutes, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", minutes / 60, minutes % 60, seconds % 60);
    }

    private static String threeDigits(double value) {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f", value);
    }
}
