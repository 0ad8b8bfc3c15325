package org.cabrank.bench.report.html;

import java.util.List;
import java.util.Map;

/**
 * Style of each contender, equal in every chart and report. A hue stands for a family (distinguishable with colour
 * blindness too, after Okabe and Ito); lightness, dashes and markers stand for its members; bars and tables show names.
 */
final class ChartPalette {

    /**
     * @param light the colour on a light page
     * @param dark the colour on a dark page
     * @param dash lengths of dashes and gaps; empty for a solid line
     * @param marker as the chart library names it
     */
    record Look(String light, String dark, List<Integer> dash, String marker) {}

    private static final List<Integer> SOLID = List.of();
    private static final List<Integer> DASHED = List.of(7, 4);
    private static final List<Integer> DOTTED = List.of(2, 3);

    private static final Map<String, Look> KNOWN = Map.ofEntries(
            Map.entry("cabrank-epoll-1", new Look("#0a5fa8", "#4ba3f0", SOLID, "circle")),
            Map.entry("cabrank-epoll-eager", new Look("#4a97d2", "#9accf7", DASHED, "rect")),
            Map.entry("cabrank-epoll-deferred", new Look("#053c70", "#76b8f5", DOTTED, "triangle")),
            Map.entry("cabrank-iouring", new Look("#00805f", "#2fcf9f", SOLID, "rectRot")),
            Map.entry("nio", new Look("#a8528c", "#e695cb", SOLID, "circle")),
            Map.entry("netty-nio", new Look("#d98a00", "#f5bf55", DASHED, "rect")),
            Map.entry("netty-epoll", new Look("#c94f0c", "#ff8f55", SOLID, "triangle")),
            Map.entry("netty-epoll-again", new Look("#dd8a5c", "#c9754a", DOTTED, "triangle")),
            Map.entry("netty-iouring", new Look("#8f2f00", "#ffc0a0", DASHED, "rectRot")),
            Map.entry("netty-epoll-group", new Look("#e07a3a", "#ffb487", DASHED, "triangle")),
            Map.entry("jdk-pool-httpserver", new Look("#5c6470", "#aab4c2", DASHED, "rect")),
            Map.entry("jdk-virtual-httpserver", new Look("#767f8c", "#c5ccd6", DOTTED, "triangle")));

    /** Styles of families by the prefix of their members' names, for members without a style of their own. */
    private static final Map<String, Look> FAMILIES = Map.ofEntries(
            Map.entry("cabrank-epoll", new Look("#2b7cc0", "#6db4f2", DOTTED, "star")),
            Map.entry("cabrank-iouring", new Look("#1c946f", "#5cdbb4", DOTTED, "star")),
            Map.entry("cabrank", new Look("#2b7cc0", "#6db4f2", DOTTED, "crossRot")),
            Map.entry("netty-over-cabrank", new Look("#4a2f8f", "#a48ff0", SOLID, "rectRot")),
            Map.entry("netty", new Look("#b5651d", "#f0a868", DOTTED, "cross")),
            Map.entry("c-", new Look("#3a3f47", "#d5dae2", SOLID, "crossRot")),
            Map.entry("virtual", new Look("#6d4fc2", "#b9a3f7", SOLID, "rectRounded")),
            Map.entry("hshr", new Look("#857400", "#dccb45", SOLID, "star")),
            Map.entry("grizzly", new Look("#b03060", "#f08fb0", SOLID, "triangle")),
            Map.entry("jetty", new Look("#6b8a00", "#b9d84a", SOLID, "rect")),
            Map.entry("vertx", new Look("#782b90", "#cf9be3", DASHED, "triangle")),
            Map.entry("helidon", new Look("#007c8a", "#62d3e0", SOLID, "star")),
            Map.entry("undertow", new Look("#8c564b", "#d3a59b", SOLID, "rectRot")),
            Map.entry("jdk", new Look("#5c6470", "#aab4c2", SOLID, "rect")),
            Map.entry("robaho", new Look("#9a6f00", "#f1cf6b", SOLID, "cross")));

    private static final List<Look> OTHERS = List.of(
            new Look("#857400", "#dccb45", DASHED, "cross"),
            new Look("#6d4fc2", "#b9a3f7", DASHED, "star"),
            new Look("#5c6470", "#aab4c2", DASHED, "crossRot"),
            new Look("#a8528c", "#e695cb", DOTTED, "cross"));

    private ChartPalette() {}

    /** Style of a contender; depends on the name only. */
    static Look of(String contender) {
        Look known = KNOWN.get(contender);
        if (known != null) {
            return known;
        }
        return FAMILIES.keySet().stream()
                .filter(contender::startsWith)
                .max((a, b) -> a.length() - b.length())
                .map(FAMILIES::get)
                .orElseGet(() -> OTHERS.get(Math.floorMod(contender.hashCode(), OTHERS.size())));
    }
}
