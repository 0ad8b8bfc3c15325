package org.cabrank.descriptor.spi;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cabrank.lf.ShardPlacement;

/** Which shards run on which CPUs. Never changes. */
final class CpuShards {
    private final SortedMap<Integer, List<Integer>> byCpu = new TreeMap<>();
    private final int shards;

    CpuShards(ShardPlacement placement, int shards) {
        this.shards = shards;
        for (int i = 0; i < shards; i++) {
            int shard = i;
            IntStream.of(placement.cpus(shard))
                    .distinct()
                    .forEach(cpu -> byCpu.merge(
                            cpu,
                            List.of(shard),
                            (some, more) ->
                                    Stream.concat(some.stream(), more.stream()).toList()));
        }
    }

    int shards() {
        return shards;
    }

    /** Nobody has said where the shards run. */
    boolean areUnknown() {
        return byCpu.isEmpty();
    }

    /** The shards on this CPU, in order; none where it is no shard's. If nothing is known, one by the CPU's number. */
    List<Integer> on(int cpu) {
        return areUnknown() ? List.of(cpu % shards) : byCpu.getOrDefault(cpu, List.of());
    }

    /** The CPUs of shards, in order. */
    Iterable<Integer> cpus() {
        return byCpu.keySet();
    }

    /** A CPU on which several shards run; -1: there is none. */
    int sharedCpu() {
        return byCpu.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .mapToInt(entry -> entry.getKey())
                .findFirst()
                .orElse(-1);
    }
}
