package org.cabrank.bench.text;

import java.util.Locale;

/** Reads and writes sizes in bytes, such as {@code 64}, {@code 16k}, {@code 1m} or {@code 2g}. The units are powers of 1,024. */
public final class ByteSizes {

    private static final String EXPECTED = "a number of bytes, or one with k, m or g, such as 512, 16k or 1m";
    private static final int DIGITS_MAX = 10;

    private ByteSizes() {}

    /** Reads a size from 0 to {@link Integer#MAX_VALUE}. */
    public static int parse(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int shift = trimmed.endsWith("k") ? 10 : trimmed.endsWith("m") ? 20 : trimmed.endsWith("g") ? 30 : 0;
        String digits = shift == 0 ? trimmed : trimmed.substring(0, trimmed.length() - 1);
        if (digits.isEmpty() || digits.length() > DIGITS_MAX || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("'" + text + "' is not a size: expected " + EXPECTED);
        }
        long count = Long.parseLong(digits);
        if (count > Integer.MAX_VALUE >> shift) {
            throw new IllegalArgumentException(
                    "'" + text + "' is too large: expected at most " + Integer.MAX_VALUE + " bytes");
        }
        return (int) (count << shift);
    }

    /** Returns the size in the largest exact unit, such as 64 B, 16 KiB or 1 MiB. Puts {@code gap} between the number and the unit. */
    public static String format(int bytes, String gap) {
        if (bytes != 0 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + gap + "MiB";
        }
        return bytes != 0 && bytes % (1 << 10) == 0 ? (bytes >> 10) + gap + "KiB" : bytes + gap + "B";
    }
}
