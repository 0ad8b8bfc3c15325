package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.text.Colours;
import org.cabrank.bench.text.Counted;
import org.cabrank.bench.topology.MachineTree.CachePart;
import org.cabrank.bench.topology.MachineTree.CorePart;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;
import org.cabrank.pinning.MachineSnapshot;

/** Draws one line for each L3 cache. Used by one thread. */
final class TreeText {
    /** Each CPU is drawn if the machine has at most this number of CPUs. */
    static final int CELLS_MAX = 100;

    private static final int WIDTH = 100;
    private static final String CACHE_INDENT = "    ";

    private final Topology topology;
    private final CpuList usable;
    private final Marks marks;
    private final Colours colours;
    private final List<String> lines = new ArrayList<>();

    TreeText(MachineSnapshot snapshot, Marks marks, Colours colours) {
        this.topology = snapshot.topology();
        this.usable = snapshot.limits().usable();
        this.marks = marks;
        this.colours = colours;
    }

    List<String> draw(MachineTree tree) {
        tree.packages().forEach(this::draw);
        return lines;
    }

    private void line(String line) {
        lines.add(line.stripTrailing());
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
            line(head + compact(cache.cores()));
        } else {
            cells(head, cache);
        }
    }

    /** Returns text such as {@code CPU 0-7,64-71  8 cores x 2  s0-7}. */
    private String compact(List<CorePart> cores) {
        List<Cpu> cpus = cores.stream().flatMap(core -> core.cpus().stream()).toList();
        CpuList there = list(cpus);
        CpuList own = there.intersection(usable);
        int threads = cores.stream().mapToInt(core -> core.cpus().size()).max().orElse(1);
        String words = "CPU " + there + "  " + Counted.of(cores.size(), "core") + (threads > 1 ? " x " + threads : "");
        if (own.isEmpty()) {
            words = colours.dim(words + "  not for this process");
        } else if (!own.equals(there)) {
            words += "  for this process only " + own;
        }
        CpuList isolated = there.intersection(topology.isolated());
        words += isolated.isEmpty() ? "" : "  isolated " + isolated;
        CpuList shards = marks.shardsOn(cpus);
        return shards.isEmpty() ? words : words + "  " + colours.shard(marks.shard(first(cpus)), "s" + shards);
    }

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

    private String inBrackets(CorePart core, List<String> cells) {
        return topology.smt()
                ? "[" + Words.kind(core.cpus().get(0)) + String.join(" ", cells) + "]"
                : Words.kind(core.cpus().get(0)) + cells.get(0);
    }

    /** Returns text such as {@code 3}, {@code 3i} for an isolated CPU, {@code 3=s0} with a shard, or {@code (3)} if not usable. */
    private String cell(Cpu cpu) {
        String number = cpu.id() + (cpu.isolated() ? "i" : "") + (cpu.nohzFull() ? "n" : "");
        String shards = marks.shards(cpu);
        if (!shards.isEmpty()) {
            return number + "=" + shards;
        }
        return marks.usable(cpu) ? number : "(" + number + ")";
    }
}
