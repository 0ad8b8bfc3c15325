package org.cabrank.bench.text;

import java.util.Locale;

/** Numbers with a noun, which is in the singular after 1. */
public final class Counted {
    private Counted() {}

    /** Returns "1 core", "1,024 cores". The noun has a regular plural. */
    public static String of(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
