package org.cabrank.bench.text;

import java.util.Locale;

/** Numbers of things, in the singular for one. */
public final class Counted {
    private Counted() {}

    /**
     * Returns the number and the noun: "1 core", "1,024 cores".
     *
     * @param noun with a regular plural
     */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
