package org.cabrank.bench.topology;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.text.Counted;
import org.cabrank.bench.topology.MachineTree.CachePart;
import org.cabrank.bench.topology.MachineTree.CorePart;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;
import org.cabrank.pinning.MachineSnapshot;

/**
 * The machine as a picture. A plain grid: packages and memory nodes below one another, L3 caches of a node beside one another
 * as far as the page is wide, and the cores of each in rows. The page is drawn from top to bottom.
 */
public final class SvgDrawing {
    static final double CELL_WIDTH = 34;
    static final double CELL_HEIGHT = 27;

    private static final double MARGIN = 20;
    private static final double GAP = 14;
    private static final double PADDING = 8;
    private static final double SPACE = 5;
    private static final double LABEL_HEIGHT = 17;
    private static final double BAR_WIDTH = 60;
    private static final double LEADING = 1.4;
    private static final double SAMPLE = 14;
    private static final double LINE = 18;
    private static final double DISTANCE_HEAD = 56;
    private static final double CACHE_WIDTH_MIN = 84;

    /** Machines of more CPUs get the wide page. */
    private static final int CPUS_NARROW_MAX = 32;

    private static final double WIDTH_NARROW = 760;
    private static final double WIDTH_WIDE = 1_560;

    /** Cores in a row of a cache that has other caches beside it. */
    private static final int CORES_BESIDE = 4;

    /** Number of shards that have a colour of their own; the numbers in the cells tell the other shards apart. */
    private static final int SHARD_COLOURS = 8;

    /** Maximum number of shards in the list; the cells show the other shards. */
    private static final int SHARDS_MAX = 16;

    private final Svg svg = new Svg();
    private final MachineSnapshot snapshot;
    private final Topology topology;
    private final PlacementPlan plan;
    private final Marks marks;
    private final double width;
    private double y = MARGIN;

    private SvgDrawing(MachineSnapshot snapshot, PlacementPlan plan) {
        this.snapshot = snapshot;
        this.topology = snapshot.topology();
        this.plan = plan;
        this.marks = new Marks(snapshot.limits(), plan);
        this.width = topology.online().size() > CPUS_NARROW_MAX ? WIDTH_WIDE : WIDTH_NARROW;
    }

    /** An SVG document that needs nothing else. @param plan null: none is drawn */
    public static String of(MachineSnapshot snapshot, PlacementPlan plan) {
        return new SvgDrawing(snapshot, plan).drawn();
    }

    private String drawn() {
        String machine = Words.machine(topology);
        String title = machine.isEmpty() ? "a machine without a name" : machine;
        paragraph("title", 18, List.of(title));
        paragraph("plain", 12, List.of(Words.parts(topology), Words.limits(snapshot.limits())));
        MachineTree.of(topology).packages().forEach(this::draw);
        memoryOnly();
        legend();
        if (plan != null) {
            drawPlan();
        }
        if (topology.nodes().size() > 1) {
            distances();
        }
        paragraph("plain", 12, others());
        List<String> notes = new ArrayList<>(topology.notes());
        notes.addAll(snapshot.limits().notes());
        paragraph("small dim", 11, notes);
        svg.rectangleBehind(0, "paper", 0, 0, width + 2 * MARGIN, y, 0);
        return svg.document(width + 2 * MARGIN, y, title, css());
    }

    private static String css() {
        try (InputStream css = SvgDrawing.class.getResourceAsStream("topology.css")) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Draws lines of text, each wrapped at the width of the page. */
    private void paragraph(String style, double fontSize, List<String> texts) {
        int charactersMax = (int) (width / Svg.width("x", fontSize));
        for (String text : texts) {
            String rest = text;
            while (!rest.isEmpty()) {
                int blank =
                        Math.max(rest.lastIndexOf(' ', charactersMax), rest.lastIndexOf(',', charactersMax - 1) + 1);
                int end = rest.length() <= charactersMax ? rest.length() : blank > 0 ? blank : charactersMax;
                svg.words(style, MARGIN, y + fontSize, rest.substring(0, end).stripTrailing());
                rest = rest.substring(end).stripLeading();
                y += fontSize * LEADING;
            }
        }
        y += texts.isEmpty() ? 0 : GAP;
    }

    // ---- the machine ----

    private void draw(PackagePart pkg) {
        int behind = svg.mark();
        double top = y;
        label(named("package", pkg.id()), MARGIN + PADDING);
        pkg.nodes().forEach(this::draw);
        svg.rectangleBehind(behind, "package", MARGIN, top, width, y - top, SPACE);
        y += GAP;
    }

    private void label(String words, double x) {
        svg.words("head", x, y + PADDING + 11, words);
        y += PADDING + LABEL_HEIGHT;
    }

    private void draw(NodePart node) {
        int behind = svg.mark();
        double top = y;
        double left = MARGIN + PADDING;
        nodeLabel(node.id());
        int cores = node.caches().stream()
                .mapToInt(cache -> cache.cores().size())
                .max()
                .orElse(1);
        double room = width - 4 * PADDING;
        int fitting = (int) ((room - 2 * PADDING) / (coreWidth() + SPACE));
        int columns = Math.max(1, Math.min(cores, node.caches().size() > 1 ? CORES_BESIDE : fitting));
        double cacheWidth = Math.max(CACHE_WIDTH_MIN, columns * (coreWidth() + SPACE) - SPACE + 2 * PADDING);
        int beside = Math.max(1, (int) ((room + SPACE) / (cacheWidth + SPACE)));
        double rowHeight = 0;
        for (int i = 0; i < node.caches().size(); i++) {
            if (i > 0 && i % beside == 0) {
                y += rowHeight + SPACE;
                rowHeight = 0;
            }
            double x = left + PADDING + i % beside * (cacheWidth + SPACE);
            rowHeight = Math.max(rowHeight, draw(node.caches().get(i), x, cacheWidth, columns));
        }
        y += rowHeight + PADDING;
        svg.rectangleBehind(behind, "node", left, top, width - 2 * PADDING, y - top, SPACE);
        y += PADDING;
    }

    private void nodeLabel(int id) {
        StringBuilder label = new StringBuilder(named("node", id));
        topology.node(id).ifPresent(node -> label.append(" · ").append(Words.memory(node)));
        for (NetworkInterface nic : Words.devices(topology)) {
            if (nic.node() == id && id >= 0) {
                label.append(" · ").append(nic.name());
            }
        }
        topology.node(id)
                .filter(node -> node.totalBytes() > 0 && node.freeBytes() >= 0)
                .ifPresent(node -> {
                    double used = 1 - (double) node.freeBytes() / node.totalBytes();
                    double x = MARGIN + width - 2 * PADDING - BAR_WIDTH;
                    svg.rectangle("memory", x, y + PADDING + 3, BAR_WIDTH, 8, 2);
                    svg.rectangle("used", x, y + PADDING + 3, BAR_WIDTH * used, 8, 2);
                });
        label(label.toString(), MARGIN + 2 * PADDING);
    }

    private double coreWidth() {
        return CELL_WIDTH + (topology.smt() ? 6 : 0);
    }

    /** Returns the height of the cache's box. */
    private double draw(CachePart cache, double x, double cacheWidth, int columns) {
        int threads = cache.cores().stream()
                .mapToInt(core -> core.cpus().size())
                .max()
                .orElse(1);
        double coreHeight = threads * (CELL_HEIGHT + 3) - 3 + (topology.smt() ? 6 : 0);
        int rows = (cache.cores().size() + columns - 1) / columns;
        double height = LABEL_HEIGHT + rows * (coreHeight + SPACE) + SPACE;
        svg.rectangle("cache", x, y, cacheWidth, height, SPACE);
        svg.words("small dim", x + PADDING, y + 13, cache.l3() < 0 ? "no L3 shown" : "L3 " + cache.l3());
        for (int i = 0; i < cache.cores().size(); i++) {
            draw(
                    cache.cores().get(i),
                    x + PADDING + i % columns * (coreWidth() + SPACE),
                    y + LABEL_HEIGHT + 2 + i / columns * (coreHeight + SPACE),
                    coreHeight);
        }
        return height;
    }

    private void draw(CorePart core, double x, double top, double height) {
        double inset = topology.smt() ? 3 : 0;
        if (topology.smt()) {
            svg.rectangle("core", x, top, coreWidth(), height, SPACE);
        }
        for (int i = 0; i < core.cpus().size(); i++) {
            draw(core.cpus().get(i), x + inset, top + inset + i * (CELL_HEIGHT + 3));
        }
    }

    /** Draws a CPU: its number, its shard, and its particular properties. */
    private void draw(Cpu cpu, double x, double top) {
        int shard = marks.shard(cpu);
        boolean dead = shard < 0 && !marks.usable(cpu);
        svg.begin(title(cpu));
        svg.rectangle(shard >= 0 ? shardStyle(shard) : dead ? "cell no" : "cell", x, top, CELL_WIDTH, CELL_HEIGHT, 3);
        if (cpu.isolated()) {
            svg.rectangle("isolated", x + 2, top + 2, CELL_WIDTH - 4, CELL_HEIGHT - 4, 2);
        }
        double middle = x + CELL_WIDTH / 2;
        if (shard >= 0) {
            svg.words("cpu", middle, top + 12, Integer.toString(cpu.id()));
            svg.words("shard", middle, top + 23, marks.shortly(cpu));
        } else {
            svg.words(dead ? "cpu-no" : "cpu", middle, top + CELL_HEIGHT / 2 + 4, Integer.toString(cpu.id()));
        }
        String kind = Words.kind(cpu);
        if (!kind.isEmpty()) {
            svg.words("mark dim", x + CELL_WIDTH - 5, top + 8, kind);
        }
        svg.end();
    }

    private static String shardStyle(int shard) {
        return "cell s" + shard % SHARD_COLOURS;
    }

    private String title(Cpu cpu) {
        StringBuilder title = new StringBuilder("CPU ").append(cpu.id());
        add(title, "core", cpu.core());
        add(title, "L2", cpu.l2());
        add(title, "L3", cpu.l3());
        add(title, "node", cpu.node());
        add(title, "package", cpu.pkg());
        title.append(marks.usable(cpu) ? "" : "; not for this process");
        title.append(cpu.isolated() ? "; isolated" : "").append(cpu.nohzFull() ? "; nohz_full" : "");
        String shards = marks.shards(cpu);
        return title.append(shards.isEmpty() ? "" : "; shard " + shards.substring(1))
                .toString();
    }

    private static void add(StringBuilder title, String noun, int number) {
        if (number >= 0) {
            title.append(title.indexOf(":") < 0 ? ": " : ", ")
                    .append(noun)
                    .append(' ')
                    .append(number);
        }
    }

    private static String named(String noun, int id) {
        return id < 0 ? noun + " unknown" : noun + " " + id;
    }

    private void memoryOnly() {
        List<MemoryNode> nodes = Words.memoryOnly(topology);
        if (nodes.isEmpty()) {
            return;
        }
        int behind = svg.mark();
        double top = y;
        label("memory without CPUs (such as CXL)", MARGIN + PADDING);
        nodes.forEach(node -> nodeLabel(node.id()));
        y += PADDING;
        svg.rectangleBehind(behind, "package", MARGIN, top, width, y - top, SPACE);
        y += GAP;
    }

    // ---- below the machine ----

    /** Explains the kinds of cells that occur in the picture. */
    private void legend() {
        List<Cpu> online = topology.cpus().stream().filter(Cpu::online).toList();
        double x = sample(MARGIN, "cell", "", "CPU that this process may use");
        if (online.stream().anyMatch(cpu -> !marks.usable(cpu) && marks.shard(cpu) < 0)) {
            x = sample(x, "cell no", "", "not for this process");
        }
        if (online.stream().anyMatch(Cpu::isolated)) {
            x = sample(x, "cell isolated", "", "isolated");
        }
        if (topology.smt()) {
            x = sample(x, "core", "", "core");
        }
        for (String kind : Words.kinds(topology)) {
            x = sample(x, "cell", kind.substring(0, 1), kind.substring(2));
        }
        if (plan != null && !plan.cpus().isEmpty()) {
            x = sample(x, "cell s0", "", "s0: shard 0 goes there");
        }
        if (topology.nodes().stream().anyMatch(node -> node.totalBytes() > 0 && node.freeBytes() >= 0)) {
            sample(x, "used", "", "memory in use");
        }
        y += LINE + GAP;
    }

    /** Draws a sample with its meaning, in the next line if the present line is full. Returns the left edge of the next sample. */
    private double sample(double wanted, String style, String mark, String words) {
        double room = SAMPLE + 6 + Svg.width(words, 12);
        double x = wanted;
        if (x > MARGIN && x + room > MARGIN + width) {
            x = MARGIN;
            y += LINE + 2;
        }
        svg.rectangle(style, x, y, SAMPLE, SAMPLE, 2);
        if (!mark.isEmpty()) {
            svg.words("mark dim", x + SAMPLE - 5, y + 9, mark);
        }
        svg.words("plain", x + SAMPLE + 6, y + SAMPLE - 3, words);
        return x + room + 22;
    }

    private void drawPlan() {
        svg.words("head", MARGIN, y + 12, plan.summary());
        y += LINE;
        List<ShardPlace> shown = plan.shards().subList(0, Math.min(plan.shards().size(), SHARDS_MAX));
        for (ShardPlace shard : shown) {
            if (shard.pinned()) {
                svg.rectangle(shardStyle(shard.shard()), MARGIN, y + 1, 12, 12, 2);
            }
            svg.words("plain", MARGIN + 18, y + 11, words(shard));
            y += LINE;
        }
        int left = plan.shards().size() - shown.size();
        if (left > 0) {
            svg.words("dim", MARGIN + 18, y + 11, "and " + Counted.of(left, "shard") + " more");
            y += LINE;
        }
        paragraph(
                "warning",
                12,
                plan.warnings().stream().map(words -> "warning: " + words).toList());
        y += plan.warnings().isEmpty() ? GAP : 0;
    }

    private String words(ShardPlace shard) {
        String line = "s" + shard.shard() + (shard.pinned() ? " · CPU " + shard.cpus() : "") + " · " + shard.why();
        int charactersMax = (int) ((width - SAMPLE) / Svg.width("x", 12));
        return line.length() <= charactersMax ? line : line.substring(0, charactersMax - 1) + "…";
    }

    private void distances() {
        List<MemoryNode> nodes = topology.nodes();
        double column = Math.min(30, (width - DISTANCE_HEAD) / nodes.size());
        svg.words("head", MARGIN, y + 12, "distances between nodes");
        double base = y + LINE + 13;
        for (int to = 0; to < nodes.size(); to++) {
            double right = MARGIN + DISTANCE_HEAD + (to + 1) * column;
            svg.words(
                    "number dim",
                    right - 6,
                    base,
                    Integer.toString(nodes.get(to).id()));
        }
        for (MemoryNode from : nodes) {
            base += LINE;
            svg.words("small dim", MARGIN, base, "node " + from.id());
            for (int to = 0; to < nodes.size(); to++) {
                int distance = topology.distance(from.id(), nodes.get(to).id());
                double left = MARGIN + DISTANCE_HEAD + to * column;
                svg.rectangle(nearness(distance), left, base - 13, column - 2, LINE - 2, 2);
                svg.words("number", left + column - 6, base, Integer.toString(distance));
            }
        }
        y = base + GAP;
    }

    /** Local, near, far. */
    private static String nearness(int distance) {
        if (distance <= Topology.LOCAL_DISTANCE) {
            return "node";
        }
        return distance < Topology.REMOTE_DISTANCE ? "cache" : "core";
    }

    /** Parts of the machine that have no place among the CPUs. */
    private List<String> others() {
        List<String> lines = new ArrayList<>();
        if (!Words.offline(topology).isEmpty()) {
            lines.add("offline: CPU " + Words.offline(topology));
        }
        Words.devices(topology).forEach(nic -> lines.add(nic.name() + ": " + Words.of(nic)));
        return lines;
    }
}
