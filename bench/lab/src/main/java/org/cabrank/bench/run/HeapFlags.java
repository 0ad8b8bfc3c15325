package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Heap size and collector of every server in a JVM. Without the flags, both would depend on the machine. */
final class HeapFlags {

    /** Enough for thousands of connections, and small enough for a dozen servers on one machine. */
    private static final List<String> SIZE = List.of("-Xms512m", "-Xmx512m");

    /** Like the parallel collector, it works only in pauses. So the cost of collections can be separated from the cost of requests. */
    private static final String FOR_ONE_CPU = "-XX:+UseSerialGC";

    private static final String FOR_SEVERAL = "-XX:+UseParallelGC";

    private static final Pattern USERS_SIZE =
            Pattern.compile("-Xm[sx].*|-XX:(Initial|Max|Min)(HeapSize|RAMPercentage|RAMFraction|RAM)=.*");
    private static final Pattern USERS_COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC");

    private HeapFlags() {}

    /** Omits the flags that {@code flags} already sets. */
    static List<String> beside(List<String> flags, int cpus) {
        List<String> heap = new ArrayList<>();
        if (flags.stream().noneMatch(flag -> USERS_SIZE.matcher(flag).matches())) {
            heap.addAll(SIZE);
        }
        if (flags.stream().noneMatch(flag -> USERS_COLLECTOR.matcher(flag).matches())) {
            heap.add(cpus == 1 ? FOR_ONE_CPU : FOR_SEVERAL);
        }
        return heap;
    }
}
