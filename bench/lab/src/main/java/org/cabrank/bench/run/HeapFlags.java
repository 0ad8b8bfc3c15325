package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Heap and collector of every server in a JVM. A JVM's choice depends on the machine, and a growing heap differs from start to start. */
final class HeapFlags {

    /** Room for thousands of connections with any server, and small enough for a dozen servers side by side. */
    private static final List<String> SIZE = List.of("-Xms512m", "-Xmx512m");

    /** Both collectors collect in pauses only, so that the cost of collections can be separated from that of requests. */
    private static final String FOR_ONE_CPU = "-XX:+UseSerialGC";

    private static final String FOR_SEVERAL = "-XX:+UseParallelGC";

    private static final Pattern USERS_SIZE =
            Pattern.compile("-Xm[sx].*|-XX:(Initial|Max|Min)(HeapSize|RAMPercentage|RAMFraction|RAM)=.*");
    private static final Pattern USERS_COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC");

    private HeapFlags() {}

    /** Returns flags for {@code cpus} CPUs; {@code flags} have precedence. */
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
