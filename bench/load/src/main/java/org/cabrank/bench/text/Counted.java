package org.cabrank.bench.text;

import java.util.Locale;

/** Writes a count with its noun. */
public final class Counted {
    private Counted() {}

    /** Returns text such as "1 core" or "1,024 cores". The plural of {@code noun} must be regular. */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
