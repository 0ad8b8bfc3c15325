package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cabrank.affinity.CpuList;

/** Text rows of a plan: one for each shard, or fewer if there are many shards. */
final class ShardRows {
    private static final int LIST_CHARACTERS_MAX = 40;

    /** Number of aligned columns in a row: shards, CPUs and node. The reason is not aligned. */
    private static final int ALIGNED = 3;

    private ShardRows() {}

    /** Returns at most {@code rowsMax} lines (2 or more) with an indent of two spaces. */
    static List<String> lines(List<ShardPlace> shards, int rowsMax) {
        if (shards.size() <= rowsMax) {
            int charactersMax = rowsMax == Integer.MAX_VALUE ? rowsMax : LIST_CHARACTERS_MAX;
            String number = "shard %" + Integer.toString(shards.size() - 1).length() + "d";
            return aligned(shards.stream()
                    .map(shard -> row(
                            String.format(Locale.ROOT, number, shard.shard()),
                            shard.cpus().brief(charactersMax),
                            shard,
                            shard.why()))
                    .toList());
        }
        Map<List<Integer>, List<ShardPlace>> alike = new LinkedHashMap<>();
        shards.forEach(shard -> alike.computeIfAbsent(
                        List.of(shard.node(), shard.cpus().size()), none -> new ArrayList<>())
                .add(shard));
        List<List<ShardPlace>> groups = List.copyOf(alike.values());
        if (groups.size() <= rowsMax) {
            return aligned(groups.stream().map(ShardRows::row).toList());
        }
        List<List<ShardPlace>> first = groups.subList(0, rowsMax - 1);
        int shown = first.stream().mapToInt(List::size).sum();
        List<String> lines = aligned(first.stream().map(ShardRows::row).toList());
        lines.add("  ... and " + Cpus.count(shards.size() - shown, "more shard"));
        return lines;
    }

    private static List<String> row(List<ShardPlace> shards) {
        ShardPlace first = shards.get(0);
        // A CpuList can hold shard numbers, because they have the range of CPU numbers.
        CpuList numbers = CpuList.of(shards.stream().mapToInt(ShardPlace::shard).toArray());
        int cpusEach = first.cpus().size();
        return row(
                (shards.size() == 1 ? "shard " : "shards ") + numbers.brief(LIST_CHARACTERS_MAX),
                PlacementPlan.cpus(shards).brief(LIST_CHARACTERS_MAX),
                first,
                shards.size() == 1
                        ? first.why()
                        : Cpus.count(shards.size(), "shard")
                                + (first.pinned() ? ", " + Cpus.count(cpusEach, "CPU") + " each" : ""));
    }

    private static List<String> row(String who, String cpus, ShardPlace place, String why) {
        return List.of(
                who,
                cpus.isEmpty() ? "any CPU" : "CPU " + cpus,
                "node " + (place.node() < 0 ? "?" : place.node()),
                why);
    }

    private static List<String> aligned(List<List<String>> rows) {
        StringBuilder format = new StringBuilder();
        for (int column = 0; column < ALIGNED; column++) {
            int number = column;
            int width = rows.stream()
                    .mapToInt(row -> row.get(number).length())
                    .max()
                    .orElse(1);
            format.append("  %-").append(width).append('s');
        }
        format.append("  %s");
        List<String> lines = new ArrayList<>();
        rows.forEach(row -> lines.add(String.format(Locale.ROOT, format.toString(), row.toArray())));
        return lines;
    }
}
