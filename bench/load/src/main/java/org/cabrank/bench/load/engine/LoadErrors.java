package org.cabrank.bench.load.engine;

import java.util.Map;
import java.util.TreeMap;

/** Counts the errors of each kind. Any thread may use it. */
public final class LoadErrors {

    /** Maximum number of kinds. The kinds are errno names and a few fixed texts. More kinds indicate a bug in this program. */
    private static final int KINDS_MAX = 64;

    private final Map<String, Long> counts = new TreeMap<>();

    /** Returns the kind of an exception that ends a thread. */
    public static String ofThread(Throwable broken) {
        return "a thread of the generator failed: " + broken;
    }

    public synchronized void count(String kind) {
        boolean room = counts.size() < KINDS_MAX || counts.containsKey(kind);
        counts.merge(room ? kind : "others", 1L, Long::sum);
    }

    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }
}
