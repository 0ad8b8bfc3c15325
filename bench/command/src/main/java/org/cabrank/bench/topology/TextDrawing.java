package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.text.Colours;
import org.cabrank.pinning.MachineSnapshot;

/** Draws the machine as text, with a line for each L3 cache. A line shows each CPU, or ranges of CPUs on a large machine. */
public final class TextDrawing {
    private static final int DISTANCES_MAX = 8;

    private final Topology topology;
    private final MachineSnapshot snapshot;
    private final PlacementPlan plan;
    private final Colours colours;
    private final Marks marks;
    private final StringBuilder text = new StringBuilder();

    private TextDrawing(MachineSnapshot snapshot, PlacementPlan plan, Colours colours) {
        this.topology = snapshot.topology();
        this.snapshot = snapshot;
        this.plan = plan;
        this.colours = colours;
        this.marks = new Marks(snapshot.limits(), plan);
    }

    /** Uses colours if standard output is a terminal. {@code plan} may be null. */
    public static String of(MachineSnapshot snapshot, PlacementPlan plan) {
        return of(snapshot, plan, Colours.ofStandardOutput());
    }

    static String of(MachineSnapshot snapshot, PlacementPlan plan, Colours colours) {
        return new TextDrawing(snapshot, plan, colours).draw();
    }

    private String draw() {
        line(colours.strong(Words.machine(topology)));
        line(Words.parts(topology));
        line(Words.limits(snapshot.limits()));
        line("");
        new TreeText(snapshot, marks, colours).draw(MachineTree.of(topology)).forEach(this::line);
        drawMemoryOnly();
        drawOffline();
        drawInterfaces();
        drawDistances();
        if (plan != null) {
            line("");
            text.append(plan.describe(Integer.MAX_VALUE));
        }
        legend();
        notes();
        return text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void drawMemoryOnly() {
        List<MemoryNode> nodes = Words.memoryOnly(topology);
        if (!nodes.isEmpty()) {
            line("nodes without CPUs");
            nodes.forEach(node -> line("  node " + node.id() + "  " + Words.memory(node)));
        }
    }

    private void drawOffline() {
        CpuList offline = Words.offline(topology);
        if (!offline.isEmpty()) {
            line("offline");
            line("  CPU " + offline);
        }
    }

    private void drawInterfaces() {
        line("network interfaces");
        List<NetworkInterface> devices = Words.devices(topology);
        if (devices.isEmpty()) {
            line("  none with a device");
        }
        devices.forEach(nic -> line("  " + nic.name() + "  " + Words.of(nic)));
    }

    private void drawDistances() {
        if (topology.nodes().size() < 2) {
            return;
        }
        if (topology.nodes().size() > DISTANCES_MAX) {
            IntSummaryStatistics between = topology.nodes().stream()
                    .flatMapToInt(from -> topology.nodes().stream()
                            .filter(to -> to.id() != from.id())
                            .mapToInt(to -> topology.distance(from.id(), to.id())))
                    .summaryStatistics();
            line("distances  from " + between.getMin() + " to " + between.getMax() + " between nodes");
            return;
        }
        StringBuilder head = new StringBuilder("distances  ");
        topology.nodes().forEach(to -> head.append(String.format(Locale.ROOT, " %3d", to.id())));
        line(head.toString());
        for (MemoryNode from : topology.nodes()) {
            StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "  node %-4d", from.id()));
            topology.nodes()
                    .forEach(to ->
                            row.append(String.format(Locale.ROOT, " %3d", topology.distance(from.id(), to.id()))));
            line(row.toString());
        }
    }

    private void legend() {
        List<String> legend = new ArrayList<>();
        boolean cells = topology.present().size() <= TreeText.CELLS_MAX;
        if (cells && topology.smt()) {
            legend.add("[0 1] hardware threads of a core");
        }
        if (cells && plan != null && !plan.cpus().isEmpty()) {
            legend.add("N=sM shard M goes to CPU N");
        }
        boolean forbidden =
                topology.cpus().stream().anyMatch(cpu -> cpu.online() && !marks.usable(cpu) && marks.shard(cpu) < 0);
        if (cells && forbidden) {
            legend.add("(0) not for this process");
        }
        if (cells && !topology.isolated().isEmpty()) {
            legend.add("0i isolated");
        }
        if (cells && !topology.nohzFull().isEmpty()) {
            legend.add("0n nohz_full");
        }
        if (cells) {
            legend.addAll(Words.kinds(topology));
        }
        if (!legend.isEmpty()) {
            line("");
            line(colours.dim(String.join("; ", legend)));
        }
    }

    private void notes() {
        List<String> notes = new ArrayList<>(topology.notes());
        notes.addAll(snapshot.limits().notes());
        if (!notes.isEmpty()) {
            line("");
            notes.forEach(note -> line("note: " + note));
        }
    }
}
