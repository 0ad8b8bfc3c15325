package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.Topology;

/** Distances between nodes, and beside or below them what has no place among the CPUs. */
final class TablesBlock implements Block {
    private static final double CELL_WIDTH = 30;
    private static final double LINE = 18;
    private static final double HEAD_WIDTH = 56;
    private static final double GAP = 30;
    private static final double BESIDE_MIN = 380;

    private final Topology topology;
    private final double width;
    private final double distancesWidth;
    private final double distancesHeight;
    private final boolean beside;
    private final Paragraph others;

    TablesBlock(Topology topology, double width) {
        this.topology = topology;
        this.width = width;
        int nodes = topology.nodes().size();
        distancesWidth = nodes < 2 ? 0 : HEAD_WIDTH + nodes * CELL_WIDTH;
        distancesHeight = nodes < 2 ? 0 : LINE * (nodes + 2);
        beside = nodes >= 2 && width - distancesWidth - GAP >= BESIDE_MIN;
        others = Paragraph.of("plain", 12, others(topology), beside ? width - distancesWidth - GAP : width);
    }

    private static List<String> others(Topology topology) {
        List<String> lines = new ArrayList<>();
        CpuList offline = Words.offline(topology);
        if (!offline.isEmpty()) {
            lines.add("offline: CPU " + offline);
        }
        Words.devices(topology).forEach(nic -> lines.add(nic.name() + ": " + Words.of(nic)));
        return lines;
    }

    @Override
    public double width() {
        return width;
    }

    @Override
    public double height() {
        return beside ? Math.max(distancesHeight, others.height()) : distancesHeight + others.height();
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        if (distancesHeight > 0) {
            distances(svg, x, y);
        }
        if (beside) {
            others.draw(svg, x + distancesWidth + GAP, y);
        } else {
            others.draw(svg, x, y + distancesHeight);
        }
    }

    private void distances(Svg svg, double x, double y) {
        svg.words("head", x, y + 12, "distances between nodes");
        double base = y + LINE + 13;
        double left = x + HEAD_WIDTH;
        for (MemoryNode to : topology.nodes()) {
            left += CELL_WIDTH;
            svg.words("number dim", left - 6, base, Integer.toString(to.id()));
        }
        for (MemoryNode from : topology.nodes()) {
            base += LINE;
            svg.words("small dim", x, base, "node " + from.id());
            left = x + HEAD_WIDTH;
            for (MemoryNode to : topology.nodes()) {
                int distance = topology.distance(from.id(), to.id());
                svg.rectangle(nearness(distance), left, base - 13, CELL_WIDTH - 2, LINE - 2, 2);
                left += CELL_WIDTH;
                svg.words("number", left - 6, base, Integer.toString(distance));
            }
        }
    }

    /** Local, near, far. */
    private static String nearness(int distance) {
        if (distance <= Topology.LOCAL_DISTANCE) {
            return "node";
        }
        return distance < Topology.REMOTE_DISTANCE ? "cache" : "core";
    }
}
