package org.cabrank.bench.shards;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What to call arrangements: by that in which they differ, as everything else need not be said again. */
final class Naming {

    private final Map<String, Function<Arrangement, String>> differing = new LinkedHashMap<>();
    private final Map<String, String> common = new LinkedHashMap<>();

    Naming(List<Arrangement> arrangements) {
        Map<String, Function<Arrangement, String>> all = new LinkedHashMap<>();
        all.put("backend", Arrangement::backend);
        all.put("shards x threads", Arrangement::split);
        all.put("accept", Arrangement::acceptWord);
        all.put("placement", Arrangement::placement);
        all.forEach((title, what) -> {
            List<String> values = arrangements.stream().map(what).distinct().toList();
            if (values.size() == 1) {
                common.put(title, values.get(0));
            } else {
                differing.put(title, what);
            }
        });
    }

    /** Of the columns that tell them apart. */
    List<String> titles() {
        return List.copyOf(differing.keySet());
    }

    /** A cell for each of the {@link #titles}. */
    List<String> cells(Arrangement arrangement) {
        return differing.values().stream().map(what -> what.apply(arrangement)).toList();
    }

    String name(Arrangement arrangement) {
        return differing.isEmpty() ? arrangement.toString() : String.join(" ", cells(arrangement));
    }

    /** What is the same for all, in words; empty when nothing is. */
    String common() {
        return common.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}
