package org.cabrank.socket.transport;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.cabrank.lf.ShardPlacement;

/** The shards of each CPU. Immutable. Reads allocate nothing, because some routers read for each connection. */
final class CpuShards {
    private static final int[] NONE = {};

    private final SortedMap<Integer, int[]> byCpu = new TreeMap<>();

    private final int[][] onCpu;

    private final int[][] alone;

    CpuShards(ShardPlacement placement, int shards) {
        this.alone =
                IntStream.range(0, shards).mapToObj(shard -> new int[] {shard}).toArray(int[][]::new);
        for (int[] own : alone) {
            IntStream.of(placement.cpus(own[0])).distinct().forEach(cpu -> byCpu.merge(cpu, own, CpuShards::joined));
        }
        this.onCpu = new int[areUnknown() ? 0 : byCpu.lastKey() + 1][];
        Arrays.fill(onCpu, NONE);
        byCpu.forEach((cpu, some) -> onCpu[cpu] = some);
    }

    private static int[] joined(int[] some, int[] more) {
        return IntStream.concat(IntStream.of(some), IntStream.of(more)).toArray();
    }

    int shards() {
        return alone.length;
    }

    boolean areUnknown() {
        return byCpu.isEmpty();
    }

    /** Returns the shards on this CPU, in order. If no CPUs are known, returns one shard by the CPU's number. Do not change the array. */
    int[] on(int cpu) {
        if (areUnknown()) {
            return alone[cpu % alone.length];
        }
        return cpu < onCpu.length ? onCpu[cpu] : NONE;
    }

    Iterable<Integer> cpus() {
        return byCpu.keySet();
    }

    int sharedCpu() {
        return byCpu.entrySet().stream()
                .filter(entry -> entry.getValue().length > 1)
                .mapToInt(entry -> entry.getKey())
                .findFirst()
                .orElse(-1);
    }
}
