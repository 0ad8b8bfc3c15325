package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.MachineSnapshot;

/** The machine as a picture: a page of blocks, one below the other. */
public final class SvgDrawing {
    private static final double MARGIN = 20;
    private static final double GAP = 14;
    private static final double WIDTH_MIN = 760;

    private SvgDrawing() {}

    /** An SVG document that needs nothing else. @param plan null: none is drawn */
    public static String of(MachineSnapshot snapshot, PlacementPlan plan) {
        Topology topology = snapshot.topology();
        Marks marks = new Marks(snapshot.limits(), plan);
        MachineTree tree = MachineTree.of(topology);
        Blocks blocks = new Blocks(topology, marks);
        Block machine = blocks.machine(tree, Grid.of(tree));
        double width = Math.max(machine.width(), WIDTH_MIN);
        List<Block> page = new ArrayList<>();
        page.add(Paragraph.of("title", 18, List.of(title(topology)), width));
        page.add(Paragraph.of("plain", 12, List.of(Words.parts(topology), Words.limits(snapshot.limits())), width));
        page.add(machine);
        blocks.memoryOnly().ifPresent(page::add);
        page.add(new LegendBlock(topology, marks, plan, width));
        if (plan != null) {
            page.add(new PlanBlock(plan, width));
        }
        page.add(new TablesBlock(topology, width));
        List<String> notes = new ArrayList<>(topology.notes());
        notes.addAll(snapshot.limits().notes());
        page.add(Paragraph.of("small dim", 11, notes, width));
        return drawn(page, width, title(topology));
    }

    private static String title(Topology topology) {
        String machine = Words.machine(topology);
        return machine.isEmpty() ? "a machine without a name" : machine;
    }

    private static String drawn(List<Block> page, double width, String title) {
        Svg svg = new Svg();
        List<Block> shown = page.stream().filter(block -> block.height() > 0).toList();
        double height = MARGIN
                + shown.stream().mapToDouble(block -> block.height() + GAP).sum();
        svg.rectangle("paper", 0, 0, width + 2 * MARGIN, height, 0);
        double y = MARGIN;
        for (Block block : shown) {
            block.draw(svg, MARGIN, y);
            y += block.height() + GAP;
        }
        return svg.document(width + 2 * MARGIN, height, title, SvgStyle.text());
    }
}
