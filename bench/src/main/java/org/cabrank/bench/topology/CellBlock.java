package org.cabrank.bench.topology;

import org.cabrank.affinity.topology.Cpu;

/** A CPU: its number, its shard, and what is particular about it. */
record CellBlock(Cpu cpu, Marks marks) implements Block {
    static final double WIDTH = 34;
    static final double HEIGHT = 27;
    private static final double RADIUS = 3;

    @Override
    public double width() {
        return WIDTH;
    }

    @Override
    public double height() {
        return HEIGHT;
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        int shard = marks.shard(cpu);
        boolean dead = shard < 0 && !marks.usable(cpu);
        svg.begin(title());
        String fill = shard >= 0 ? "cell s" + shard % SvgStyle.SHARD_COLOURS : dead ? "cell no" : "cell";
        svg.rectangle(fill, x, y, WIDTH, HEIGHT, RADIUS);
        if (cpu.isolated()) {
            svg.rectangle("isolated", x + 2, y + 2, WIDTH - 4, HEIGHT - 4, RADIUS - 1);
        }
        double middle = x + WIDTH / 2;
        if (shard >= 0) {
            svg.words("cpu", middle, y + 12, Integer.toString(cpu.id()));
            svg.words("shard", middle, y + 23, marks.shortly(cpu));
        } else {
            svg.words(dead ? "cpu-no" : "cpu", middle, y + HEIGHT / 2 + 4, Integer.toString(cpu.id()));
        }
        String kind = Words.kind(cpu);
        if (!kind.isEmpty()) {
            svg.words("mark dim", x + WIDTH - 5, y + 8, kind);
        }
        svg.end();
    }

    private String title() {
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
}
