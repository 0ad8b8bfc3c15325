package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;

/** Description of the plan beside the colours of its shards. */
final class PlanBlock implements Block {
    /** Maximum number of shards in the list; the cells show the others. */
    private static final int SHARDS_MAX = 16;

    private static final double LINE = 17;
    private static final double SAMPLE = 12;
    private static final double FONT = 12;

    private final PlacementPlan plan;
    private final double width;
    private final Paragraph warnings;
    private final List<ShardPlace> shown;

    PlanBlock(PlacementPlan plan, double width) {
        this.plan = plan;
        this.width = width;
        warnings = Paragraph.of(
                "warning",
                FONT,
                plan.warnings().stream().map(words -> "warning: " + words).toList(),
                width);
        shown = plan.shards().subList(0, Math.min(plan.shards().size(), SHARDS_MAX));
    }

    @Override
    public double width() {
        return width;
    }

    @Override
    public double height() {
        return LINE * (1 + shown.size() + (left() > 0 ? 1 : 0)) + warnings.height();
    }

    private int left() {
        return plan.shards().size() - shown.size();
    }

    @Override
    public void draw(Svg svg, double x, double y) {
        svg.words("head", x, y + SAMPLE, plan.summary());
        double top = y + LINE;
        for (ShardPlace shard : shown) {
            if (shard.pinned()) {
                svg.rectangle("cell s" + shard.shard() % SvgStyle.SHARD_COLOURS, x, top + 1, SAMPLE, SAMPLE, 2);
            }
            svg.words("plain", x + SAMPLE + 6, top + SAMPLE - 1, words(shard));
            top += LINE;
        }
        if (left() > 0) {
            svg.words("dim", x + SAMPLE + 6, top + SAMPLE - 1, "and " + Words.count(left(), "shard") + " more");
            top += LINE;
        }
        warnings.draw(svg, x, top);
    }

    private String words(ShardPlace shard) {
        List<String> words = new ArrayList<>(List.of("s" + shard.shard()));
        if (shard.pinned()) {
            words.add("CPU " + shard.cpus());
        }
        words.add(shard.why());
        String line = String.join(" · ", words);
        int charactersMax = (int) ((width - SAMPLE) / Svg.width("x", FONT));
        return line.length() <= charactersMax ? line : line.substring(0, charactersMax - 1) + "…";
    }
}
