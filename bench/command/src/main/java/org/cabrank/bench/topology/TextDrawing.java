package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.text.Colours;
import org.cabrank.bench.text.Counted;
import org.cabrank.pinning.MachineSnapshot;

/**
 * The machine as text: a line for each L3 cache, with its CPUs where they are few and with their numbers where many. Of a
 * machine of hundreds of CPUs a screen of text is drawn, unless everything is asked for.
 */
public final class TextDrawing {
    private static final int TREE_LINES_MAX = 27;
    private static final int SHARD_LINES_MAX = 16;
    private static final int DISTANCES_MAX = 8;
    private static final int MEMORY_NODES_MAX = 2;
    private static final int INTERFACES_MAX = 3;
    private static final int NOTES_MAX = 4;
    private static final int NOTE_CHARACTERS_MAX = 240;
    private static final int LIST_CHARACTERS_MAX = 60;

    private final Topology topology;
    private final MachineSnapshot snapshot;
    private final PlacementPlan plan;
    private final Colours colours;
    private final boolean all;
    private final Marks marks;
    private final StringBuilder text = new StringBuilder();
    private boolean shortened;

    private TextDrawing(MachineSnapshot snapshot, PlacementPlan plan, boolean all, Colours colours) {
        this.topology = snapshot.topology();
        this.snapshot = snapshot;
        this.plan = plan;
        this.all = all;
        this.colours = colours;
        this.marks = new Marks(snapshot.limits(), plan);
    }

    /**
     * Draws in colours where standard output is a terminal.
     *
     * @param plan null: none is drawn
     * @param all show every L3 cache, shard, interface and note
     */
    public static String of(MachineSnapshot snapshot, PlacementPlan plan, boolean all) {
        return of(snapshot, plan, all, Colours.ofStandardOutput());
    }

    static String of(MachineSnapshot snapshot, PlacementPlan plan, boolean all, Colours colours) {
        return new TextDrawing(snapshot, plan, all, colours).draw();
    }

    private String draw() {
        line(colours.strong(Words.machine(topology)));
        line(Words.parts(topology));
        line(Words.limits(snapshot.limits(), most(LIST_CHARACTERS_MAX)));
        line("");
        TreeText tree = new TreeText(snapshot, marks, colours, most(TREE_LINES_MAX));
        tree.draw(MachineTree.of(topology)).forEach(this::line);
        shortened = !tree.isComplete();
        drawMemoryOnly();
        drawOffline();
        drawInterfaces();
        drawDistances();
        if (plan != null) {
            line("");
            text.append(plan.describe(most(SHARD_LINES_MAX)));
            shortened |= plan.shards().size() > most(SHARD_LINES_MAX);
        }
        legend();
        notes();
        if (shortened) {
            line("");
            line("shortened: --all shows everything");
        }
        return text.toString();
    }

    private int most(int shown) {
        return all ? Integer.MAX_VALUE : shown;
    }

    /** The first ones of {@code items}, and how many more there are. */
    private void lines(String indent, List<String> items, int shown, String noun) {
        int count = Math.min(items.size(), most(shown));
        items.subList(0, count).forEach(item -> line(indent + item));
        if (count < items.size()) {
            line(indent + "... and " + Counted.of(items.size() - count, "more " + noun));
            shortened = true;
        }
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void drawMemoryOnly() {
        List<MemoryNode> nodes = Words.memoryOnly(topology);
        if (!nodes.isEmpty()) {
            line("nodes without CPUs");
            lines(
                    "  ",
                    nodes.stream()
                            .map(node -> "node " + node.id() + "  " + Words.memory(node))
                            .toList(),
                    MEMORY_NODES_MAX,
                    "node");
        }
    }

    private void drawOffline() {
        CpuList offline = Words.offline(topology);
        if (!offline.isEmpty()) {
            line("offline");
            line("  CPU " + offline.brief(most(LIST_CHARACTERS_MAX)));
        }
    }

    private void drawInterfaces() {
        line("network interfaces");
        List<NetworkInterface> devices = Words.devices(topology);
        if (devices.isEmpty()) {
            line("  none with a device");
        }
        lines(
                "  ",
                devices.stream()
                        // A card has many functions, of which those that are up are looked for.
                        .sorted(Comparator.comparing(nic -> !all && !nic.up()))
                        .map(nic -> nic.name() + "  " + Words.of(nic, most(LIST_CHARACTERS_MAX)))
                        .toList(),
                INTERFACES_MAX,
                "interface");
    }

    private void drawDistances() {
        if (topology.nodes().size() < 2) {
            return;
        }
        if (topology.nodes().size() > most(DISTANCES_MAX)) {
            IntSummaryStatistics between = topology.nodes().stream()
                    .flatMapToInt(from -> topology.nodes().stream()
                            .filter(to -> to.id() != from.id())
                            .mapToInt(to -> topology.distance(from.id(), to.id())))
                    .summaryStatistics();
            line("distances  from " + between.getMin() + " to " + between.getMax() + " between nodes");
            shortened = true;
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
            lines("", notes.stream().map(note -> "note: " + cut(note)).toList(), NOTES_MAX, "note");
        }
    }

    private String cut(String note) {
        if (note.length() <= most(NOTE_CHARACTERS_MAX)) {
            return note;
        }
        shortened = true;
        return note.substring(0, NOTE_CHARACTERS_MAX) + "...";
    }
}
