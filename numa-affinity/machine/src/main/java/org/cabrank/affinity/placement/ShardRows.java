package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;

/** The shards of a plan in rows of text: one row for each, or, where they are many, one for those on the same node. */
final class ShardRows {
    private static final int LIST_CHARACTERS_MAX = 40;

    /** Columns of a row that are aligned: shards, CPUs and node. The last one, the reason, is not. */
    private static final int ALIGNED = 3;

    /** Shards that may share a row. */
    private record Alike(int node, int cpus) {}

    private ShardRows() {}

    /** Lines that are indented by two spaces: at most {@code rowsMax}, which is at least 2. */
    static List<String> lines(List<ShardPlace> shards, int rowsMax) {
        if (shards.size() <= rowsMax) {
            int width = Integer.toString(shards.size() - 1).length();
            int charactersMax = rowsMax == Integer.MAX_VALUE ? rowsMax : LIST_CHARACTERS_MAX;
            return lines(shards.stream()
                    .map(shard -> single(shard, width, charactersMax))
                    .toList());
        }
        List<List<ShardPlace>> groups = runs(shards);
        if (groups.size() > rowsMax) {
            groups = new ArrayList<>(byNode(shards).values());
        }
        if (groups.size() <= rowsMax) {
            return lines(groups.stream().map(ShardRows::group).toList());
        }
        List<List<ShardPlace>> first = groups.subList(0, rowsMax - 1);
        int shown = first.stream().mapToInt(List::size).sum();
        List<String> lines = lines(first.stream().map(ShardRows::group).toList());
        lines.add("  ... and " + Cpus.count(shards.size() - shown, "more shard"));
        return lines;
    }

    private static Alike kind(ShardPlace shard) {
        return new Alike(shard.node(), shard.cpus().size());
    }

    /** Shards in a row of numbers that are alike. */
    private static List<List<ShardPlace>> runs(List<ShardPlace> shards) {
        List<List<ShardPlace>> runs = new ArrayList<>();
        for (ShardPlace shard : shards) {
            List<ShardPlace> last = runs.isEmpty() ? List.of() : runs.get(runs.size() - 1);
            if (last.isEmpty() || !kind(last.get(0)).equals(kind(shard))) {
                runs.add(new ArrayList<>(List.of(shard)));
            } else {
                last.add(shard);
            }
        }
        return runs;
    }

    private static Map<Alike, List<ShardPlace>> byNode(List<ShardPlace> shards) {
        Map<Alike, List<ShardPlace>> groups = new LinkedHashMap<>();
        shards.forEach(shard ->
                groups.computeIfAbsent(kind(shard), none -> new ArrayList<>()).add(shard));
        return groups;
    }

    private static List<String> single(ShardPlace shard, int width, int charactersMax) {
        String number = Integer.toString(shard.shard());
        return List.of(
                "shard " + " ".repeat(width - number.length()) + number,
                cpus(shard.cpus(), charactersMax),
                node(shard),
                shard.why());
    }

    private static List<String> group(List<ShardPlace> shards) {
        ShardPlace first = shards.get(0);
        // The numbers of shards have the format and the range of those of CPUs.
        CpuList numbers = CpuList.of(shards.stream().mapToInt(ShardPlace::shard).toArray());
        CpuList all = CpuList.of(
                shards.stream().flatMapToInt(shard -> shard.cpus().cpus()).toArray());
        return List.of(
                (shards.size() == 1 ? "shard " : "shards ") + numbers.brief(LIST_CHARACTERS_MAX),
                cpus(all, LIST_CHARACTERS_MAX),
                node(first),
                shards.size() == 1
                        ? first.why()
                        : Cpus.count(shards.size(), "shard")
                                + (first.pinned()
                                        ? ", " + Cpus.count(first.cpus().size(), "CPU") + " each"
                                        : ""));
    }

    private static String cpus(CpuList cpus, int charactersMax) {
        return cpus.isEmpty() ? "any CPU" : "CPU " + cpus.brief(charactersMax);
    }

    private static String node(ShardPlace shard) {
        return shard.node() < 0 ? "node ?" : "node " + shard.node();
    }

    private static List<String> lines(List<List<String>> rows) {
        int[] widths = IntStream.range(0, ALIGNED)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < ALIGNED; column++) {
                String cell = row.get(column);
                line.append("  ").append(cell).append(" ".repeat(widths[column] - cell.length()));
            }
            lines.add(line.append("  ").append(row.get(ALIGNED)).toString());
        }
        return lines;
    }
}
