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

/**
 * Packages, nodes and L3 caches as lines: a line for each L3 cache, or, where these would be too many lines, for each node or
 * for each package. One thread uses it.
 */
final class TreeText {
    /** Machines of more CPUs get one line for each L3 cache, without the cores. */
    static final int CELLS_MAX = 100;

    private static final int WIDTH = 100;
    private static final int LIST_CHARACTERS_MAX = 40;
    private static final String CACHE_INDENT = "    ";

    /** The smallest part that has a line. */
    private enum Detail {
        CACHES,
        NODES,
        PACKAGES
    }

    private final Topology topology;
    private final CpuList usable;
    private final Marks marks;
    private final Colours colours;
    private final int linesMax;
    private final List<String> lines = new ArrayList<>();
    private boolean complete = true;

    /** @param linesMax {@link Integer#MAX_VALUE}: everything is shown */
    TreeText(MachineSnapshot snapshot, Marks marks, Colours colours, int linesMax) {
        this.topology = snapshot.topology();
        this.usable = snapshot.limits().usable();
        this.marks = marks;
        this.colours = colours;
        this.linesMax = linesMax;
    }

    /** The lines: at most so many as were asked for. */
    List<String> draw(MachineTree tree) {
        for (Detail detail : Detail.values()) {
            lines.clear();
            tree.packages().forEach(pkg -> draw(pkg, detail));
            if (lines.size() <= linesMax) {
                complete = detail == Detail.CACHES;
                return lines;
            }
        }
        complete = false;
        int more = lines.size() - linesMax + 1;
        List<String> first = new ArrayList<>(lines.subList(0, linesMax - 1));
        first.add("... and " + Counted.of(more, "more package"));
        return first;
    }

    /** Returns true if the lines that were drawn show every L3 cache. */
    boolean isComplete() {
        return complete;
    }

    private void line(String line) {
        lines.add(line.stripTrailing());
    }

    private void draw(PackagePart pkg, Detail detail) {
        String name = named("package", pkg.id());
        if (detail == Detail.PACKAGES) {
            List<CachePart> caches =
                    pkg.nodes().stream().flatMap(node -> node.caches().stream()).toList();
            String nodes = pkg.nodes().size() == 1
                    ? named("node", pkg.nodes().get(0).id())
                    : Counted.of(pkg.nodes().size(), "node");
            line(name + "  " + nodes + "  " + summary(caches));
            return;
        }
        line(name);
        for (NodePart node : pkg.nodes()) {
            String memory = topology.node(node.id())
                    .map(there -> "  " + Words.memory(there))
                    .orElse("");
            String head = "  " + named("node", node.id()) + memory;
            if (detail == Detail.NODES) {
                line(head + "  " + summary(node.caches()));
            } else {
                line(head);
                node.caches().forEach(this::draw);
            }
        }
    }

    private static String named(String noun, int id) {
        return id < 0 ? noun + " unknown" : noun + " " + id;
    }

    /** {@code CPU 0-127,1024-1151  128 cores x 2  8 L3 caches  shards s0-7}. */
    private String summary(List<CachePart> caches) {
        List<CorePart> cores =
                caches.stream().flatMap(cache -> cache.cores().stream()).toList();
        long shown = caches.stream().filter(cache -> cache.l3() >= 0).count();
        return compact(cores, shown == 0 ? "" : "  " + Counted.of((int) shown, "L3 cache"));
    }

    private void draw(CachePart cache) {
        String head = CACHE_INDENT + (cache.l3() < 0 ? "no L3 shown" : "L3 " + cache.l3()) + "  ";
        if (topology.present().size() > CELLS_MAX) {
            line(head + compact(cache.cores(), ""));
        } else {
            cells(head, cache);
        }
    }

    private String brief(CpuList list) {
        return linesMax == Integer.MAX_VALUE ? list.toString() : list.brief(LIST_CHARACTERS_MAX);
    }

    /** {@code CPU 0-7,64-71  8 cores x 2  s0-7}. */
    private String compact(List<CorePart> cores, String caches) {
        List<Cpu> cpus = cores.stream().flatMap(core -> core.cpus().stream()).toList();
        CpuList there = list(cpus);
        CpuList own = there.intersection(usable);
        int threads = cores.stream().mapToInt(core -> core.cpus().size()).max().orElse(1);
        String words = "CPU " + brief(there) + "  " + Counted.of(cores.size(), "core")
                + (threads > 1 ? " x " + threads : "") + caches;
        if (own.isEmpty()) {
            words = colours.dim(words + "  not for this process");
        } else if (!own.equals(there)) {
            words += "  for this process only " + brief(own);
        }
        CpuList isolated = there.intersection(topology.isolated());
        words += isolated.isEmpty() ? "" : "  isolated " + brief(isolated);
        CpuList shards = marks.shardsOn(cpus);
        return shards.isEmpty() ? words : words + "  " + colours.shard(marks.shard(first(cpus)), "s" + brief(shards));
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

    /** Puts the hardware threads of a core in brackets if the machine has SMT. */
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
}
