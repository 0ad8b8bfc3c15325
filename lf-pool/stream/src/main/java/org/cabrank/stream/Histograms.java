package org.cabrank.stream;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.cabrank.lf.observe.LatencyHistogram;

final class Histograms {
    /** Limits the memory of a service that makes names from requests. */
    static final int COUNT_MAX = 256;

    private final Map<String, LatencyHistogram> byName = new TreeMap<>();
    private final Consumer<LatencyHistogram> whenAdded;

    Histograms(Consumer<LatencyHistogram> whenAdded) {
        this.whenAdded = whenAdded;
    }

    void addAll(List<LatencyHistogram> made) {
        made.forEach(this::add);
    }

    private synchronized void add(LatencyHistogram made) {
        if (byName.size() == COUNT_MAX) {
            throw new IllegalStateException("the reactor has " + COUNT_MAX + " histograms, the most that it may, and "
                    + made.name() + " is one more: choose names that do not depend on requests");
        }
        whenAdded.accept(made); // called first, so that a histogram that cannot be registered is not added
        byName.put(made.name(), made);
    }

    synchronized LatencyHistogram get(String name) {
        LatencyHistogram known = byName.get(Objects.requireNonNull(name, "name"));
        if (known == null) {
            known = new LatencyHistogram(name);
            add(known);
        }
        return known;
    }

    synchronized List<LatencyHistogram> all() {
        return List.copyOf(byName.values());
    }
}
