package org.cabrank.bench.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads and writes durations such as {@code 200us} or {@code 1.5s}. */
public final class Durations {

    private static final String EXPECTED = "a number with a unit ns, us, ms, s or min, such as 200us or 1.5s";

    private static final Pattern ISO = Pattern.compile("\\bPT[-0-9.HMS]+");

    private Durations() {}

    /** Reads a duration, which may be zero. */
    public static Duration parse(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int unitAt = 0;
        while (unitAt < trimmed.length() && isNumeric(trimmed.charAt(unitAt))) {
            unitAt++;
        }
        if (trimmed.equals("0")) {
            return Duration.ZERO;
        }
        try {
            double amount = Double.parseDouble(trimmed.substring(0, unitAt));
            double ns = amount * unitNs(trimmed.substring(unitAt).trim());
            if (ns > Long.MAX_VALUE / 2.0) {
                throw new IllegalArgumentException("'" + text + "' is too long");
            }
            return Duration.ofNanos(Math.round(ns));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException("'" + text + "' is not a duration: expected " + EXPECTED, notANumber);
        }
    }

    /** Formats a duration such as 5ms, 200us or 1.5s, with at most one decimal. */
    public static String format(long ns) {
        if (ns < 1_000) {
            return ns + "ns";
        }
        if (ns < 1_000_000) {
            return trimmed(ns / 1e3) + "us";
        }
        if (ns < 1_000_000_000) {
            return trimmed(ns / 1e6) + "ms";
        }
        return trimmed(ns / 1e9) + "s";
    }

    /** Replaces each ISO 8601 duration in {@code message}, such as {@code PT0.005S}, by the text of {@link #format}. */
    public static String replaceIso(String message) {
        return ISO.matcher(message).replaceAll(found -> formatIso(found.group()));
    }

    /** Returns any other text, such as a part of a file name, as it is. */
    private static String formatIso(String text) {
        try {
            return format(Duration.parse(text).toNanos());
        } catch (DateTimeParseException noDuration) {
            return text;
        }
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static boolean isNumeric(char c) {
        return c >= '0' && c <= '9' || c == '.';
    }

    private static double unitNs(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "min" -> 60e9;
            default -> throw new NumberFormatException("unit " + unit);
        };
    }
}
