package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Legend of the kinds of cells that occur in the picture. */
final class LegendBlock implements Block {
    private static final double SAMPLE = 14;
    private static final double GAP = 6;
    private static final double BETWEEN = 22;
    private static final double FONT = 12;
    private static final double LINE = 20;

    private record Entry(List<String> styles, String mark, String words) {}

    private final List<Entry> entries = new ArrayList<>();
    private final double width;

    LegendBlock(Topology topology, Marks marks, PlacementPlan plan, double width) {
        this.width = width;
        entries.add(new Entry(List.of("cell"), "", "CPU that this process may use"));
        if (any(topology, cpu -> !marks.usable(cpu) && marks.shard(cpu) < 0)) {
            entries.add(new Entry(List.of("cell no"), "", "not for this process"));
        }
        if (any(topology, Cpu::isolated)) {
            entries.add(new Entry(List.of("cell", "isolated"), "", "isolated"));
        }
        if (topology.smt()) {
            entries.add(new Entry(List.of("core"), "", "core"));
        }
        Words.kinds(topology)
                .forEach(kind -> entries.add(new Entry(List.of("cell"), kind.substring(0, 1), kind.substring(2))));
        if (plan != null && !plan.cpus().isEmpty()) {
            entries.add(new Entry(List.of("cell s0"), "", "s0: shard 0 goes there"));
        }
        if (topology.nodes().stream().anyMatch(node -> node.totalBytes() > 0 && node.freeBytes() >= 0)) {
            entries.add(new Entry(List.of("used"), "", "memory in use"));
        }
    }

    private static boolean any(Topology topology, Predicate<Cpu> wanted) {
        return topology.cpus().stream().anyMatch(cpu -> cpu.online() && wanted.test(cpu));
    }

    @Override
    public double width() {
        return width;
    }

    private static double width(Entry entry) {
        return SAMPLE + GAP + Svg.width(entry.words(), FONT) + BETWEEN;
    }

    @Override
    public double height() {
        double left = 0;
        int lines = 1;
        for (Entry entry : entries) {
            if (left > 0 && left + width(entry) > width) {
                left = 0;
                lines++;
            }
            left += width(entry);
        }
        return lines * LINE;
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        double left = 0;
        double top = y;
        for (Entry entry : entries) {
            if (left > 0 && left + width(entry) > width) {
                left = 0;
                top += LINE;
            }
            draw(entry, svg, x + left, top);
            left += width(entry);
        }
    }

    private static void draw(Entry entry, Svg svg, double x, double y) {
        for (String style : entry.styles()) {
            double inset = style.equals("isolated") ? 2 : 0;
            svg.rectangle(style, x + inset, y + inset, SAMPLE - 2 * inset, SAMPLE - 2 * inset, 2);
        }
        if (!entry.mark().isEmpty()) {
            svg.words("mark dim", x + SAMPLE - 5, y + 9, entry.mark());
        }
        svg.words("plain", x + SAMPLE + GAP, y + SAMPLE - 3, entry.words());
    }
}
