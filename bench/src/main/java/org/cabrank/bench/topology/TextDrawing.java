package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.place.Surroundings;
import org.cabrank.bench.text.Colours;
import org.cabrank.bench.topology.MachineTree.CachePart;
import org.cabrank.bench.topology.MachineTree.CorePart;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;

/** The machine as text: a line for each L3 cache, with its CPUs where they are few and with their numbers where many. */
public final class TextDrawing {
    /** Machines of more CPUs get one line for each L3 cache. */
    static final int CELLS_MAX = 100;

    private static final int WIDTH = 100;
    private static final String CACHE_INDENT = "    ";

    private final Topology topology;
    private final Surroundings surroundings;
    private final PlacementPlan plan;
    private final Colours colours;
    private final Marks marks;
    private final StringBuilder text = new StringBuilder();

    private TextDrawing(Surroundings surroundings, PlacementPlan plan, Colours colours) {
        this.topology = surroundings.topology();
        this.surroundings = surroundings;
        this.plan = plan;
        this.colours = colours;
        this.marks = new Marks(surroundings.limits(), plan);
    }

    /** Coloured where standard output is a terminal. @param plan null: none is drawn */
    public static String of(Surroundings surroundings, PlacementPlan plan) {
        return of(surroundings, plan, Colours.ofStandardOutput());
    }

    static String of(Surroundings surroundings, PlacementPlan plan, Colours colours) {
        return new TextDrawing(surroundings, plan, colours).draw();
    }

    private String draw() {
        line(colours.strong(Words.machine(topology)));
        line(Words.parts(topology));
        line(Words.limits(surroundings.limits()));
        line("");
        MachineTree.of(topology).packages().forEach(this::draw);
        drawTheRest();
        drawDistances();
        if (plan != null) {
            line("");
            text.append(plan.describe());
        }
        legend();
        notes();
        return text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void draw(PackagePart pkg) {
        line(named("package", pkg.id()));
        for (NodePart node : pkg.nodes()) {
            String memory = topology.node(node.id())
                    .map(there -> "  " + Words.memory(there))
                    .orElse("");
            line("  " + named("node", node.id()) + memory);
            node.caches().forEach(this::draw);
        }
    }

    private static String named(String noun, int id) {
        return id < 0 ? noun + " unknown" : noun + " " + id;
    }

    private void draw(CachePart cache) {
        String head = CACHE_INDENT + (cache.l3() < 0 ? "no L3 shown" : "L3 " + cache.l3()) + "  ";
        if (topology.present().size() > CELLS_MAX) {
            line(head + compact(cache));
        } else {
            cells(head, cache);
        }
    }

    /** {@code CPU 0-7,64-71  8 cores x 2  shards s0-7}. */
    private String compact(CachePart cache) {
        List<Cpu> cpus = cache.cpus();
        CpuList there = list(cpus);
        CpuList usable = there.intersection(surroundings.limits().usable());
        int threads = cache.cores().stream()
                .mapToInt(core -> core.cpus().size())
                .max()
                .orElse(1);
        String words = "CPU " + there + "  " + Words.count(cache.cores().size(), "core")
                + (threads > 1 ? " x " + threads : "");
        if (usable.isEmpty()) {
            words = colours.dim(words + "  not for this process");
        } else if (!usable.equals(there)) {
            words += "  for this process only " + usable;
        }
        CpuList isolated = there.intersection(topology.isolated());
        words += isolated.isEmpty() ? "" : "  isolated " + isolated;
        String shards = marks.shards(cpus);
        return shards.isEmpty() ? words : words + "  " + colours.shard(marks.shard(first(cpus)), shards);
    }

    /** One of {@code cpus} that a shard goes to. */
    private Cpu first(List<Cpu> cpus) {
        return cpus.stream().filter(cpu -> marks.shard(cpu) >= 0).findFirst().orElseThrow();
    }

    private static CpuList list(List<Cpu> cpus) {
        return CpuList.of(cpus.stream().mapToInt(Cpu::id).toArray());
    }

    private void cells(String head, CachePart cache) {
        StringBuilder line = new StringBuilder(head);
        int width = head.length();
        for (CorePart core : cache.cores()) {
            int coreWidth = plain(core).length() + 1;
            if (width + coreWidth > WIDTH && width > head.length()) {
                line(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(head.length()));
                width = head.length();
            }
            line.append(coloured(core)).append(' ');
            width += coreWidth;
        }
        line(line.toString().stripTrailing());
    }

    private String plain(CorePart core) {
        return inBrackets(core, core.cpus().stream().map(this::cell).toList());
    }

    private String coloured(CorePart core) {
        List<String> cells = new ArrayList<>();
        for (Cpu cpu : core.cpus()) {
            int shard = marks.shard(cpu);
            cells.add(
                    shard >= 0
                            ? colours.shard(shard, cell(cpu))
                            : marks.usable(cpu) ? cell(cpu) : colours.dim(cell(cpu)));
        }
        return inBrackets(core, cells);
    }

    /** Where hardware threads share cores, brackets show which. */
    private String inBrackets(CorePart core, List<String> cells) {
        return topology.smt()
                ? "[" + Words.kind(core.cpus().get(0)) + String.join(" ", cells) + "]"
                : Words.kind(core.cpus().get(0)) + cells.get(0);
    }

    /** {@code 3}, {@code 3=s0}, {@code (3)}, {@code 3i}. */
    private String cell(Cpu cpu) {
        String number = cpu.id() + (cpu.isolated() ? "i" : "") + (cpu.nohzFull() ? "n" : "");
        String shards = marks.shards(cpu);
        if (!shards.isEmpty()) {
            return number + "=" + shards;
        }
        return marks.usable(cpu) ? number : "(" + number + ")";
    }

    private void drawTheRest() {
        for (MemoryNode node : Words.memoryOnly(topology)) {
            line("memory only");
            line("  node " + node.id() + "  " + Words.memory(node));
        }
        CpuList offline = Words.offline(topology);
        if (!offline.isEmpty()) {
            line("offline");
            line("  CPU " + offline);
        }
        List<NetworkInterface> devices = Words.devices(topology);
        if (!devices.isEmpty()) {
            line("network interfaces");
            devices.forEach(nic -> line("  " + nic.name() + "  " + Words.of(nic)));
        }
    }

    private void drawDistances() {
        if (topology.nodes().size() < 2) {
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
        boolean cells = topology.present().size() <= CELLS_MAX;
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
        notes.addAll(surroundings.limits().notes());
        if (!notes.isEmpty()) {
            line("");
            notes.forEach(note -> line("note: " + note));
        }
    }
}
