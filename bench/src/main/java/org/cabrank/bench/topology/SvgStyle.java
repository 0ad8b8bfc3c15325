package org.cabrank.bench.topology;

import java.util.Locale;

/**
 * Style of the picture, for light and dark backgrounds. Colours are in classes instead of CSS variables, because many
 * viewers of SVG do not support these.
 */
final class SvgStyle {
    /** Shards beyond that have the colours of others again, and their numbers in the cells. */
    static final int SHARD_COLOURS = 8;

    private static final String[] LIGHT_SHARDS = {
        "#a9cdf5", "#fbcf9c", "#b2dfb0", "#f5b8b4", "#d3c1f2", "#a3dedb", "#efe08f", "#f3bcdb"
    };
    private static final String[] DARK_SHARDS = {
        "#23568f", "#85500f", "#2c6b32", "#8b3836", "#5d4596", "#17696b", "#6d6012", "#82386a"
    };

    private static final String COMMON = """
            text { font-family: system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; font-size: 12px; }
            .title { font-size: 18px; font-weight: 600; }
            .head { font-size: 13px; font-weight: 600; }
            .small { font-size: 11px; }
            .cpu, .cpu-no, .shard, .mark { text-anchor: middle; }
            .cpu, .cpu-no { font-size: 11px; }
            .shard { font-size: 10px; font-weight: 700; }
            .mark { font-size: 8px; font-weight: 700; }
            .number { text-anchor: end; font-size: 11px; }
            .package, .node, .cache, .core, .cell, .isolated { stroke-width: 1; }
            .isolated { fill: none; stroke-width: 2; stroke-dasharray: 3 2; }
            """;

    private static final String COLOURS = """
            .paper { fill: %s; }
            text { fill: %s; }
            .dim, .cpu-no { fill: %s; }
            .warning { fill: %s; }
            .package { fill: %s; stroke: %s; }
            .node { fill: %s; stroke: %s; }
            .cache { fill: %s; stroke: %s; }
            .core { fill: %s; stroke: %s; }
            .cell { fill: %s; stroke: %s; }
            .no { fill: url(#hatched); stroke: %s; }
            .hatch { stroke: %s; }
            .isolated { stroke: %s; }
            .memory { fill: %s; }
            .used { fill: %s; }
            """;

    private SvgStyle() {}

    static String text() {
        return "<style>\n" + COMMON + light() + "@media (prefers-color-scheme: dark) {\n" + dark() + "}\n</style>\n"
                + "<defs><pattern id=\"hatched\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\""
                + " patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V5\" stroke-width=\"2\"/></pattern></defs>\n";
    }

    private static String light() {
        return String.format(
                        Locale.ROOT,
                        COLOURS,
                        "#ffffff",
                        "#1d2430",
                        "#6b7585",
                        "#a33c00",
                        "#eef1f5",
                        "#aab4c3",
                        "#f8fafc",
                        "#b9c3d1",
                        "#e6ebf2",
                        "#c6cfdc",
                        "#d4dce7",
                        "#b3bfd0",
                        "#ffffff",
                        "#9aa7ba",
                        "#c3cbd7",
                        "#dde3eb",
                        "#5a6a84",
                        "#d4dce7",
                        "#7f93b2")
                + shards(LIGHT_SHARDS);
    }

    private static String dark() {
        return String.format(
                        Locale.ROOT,
                        COLOURS,
                        "#12161d",
                        "#e4e9f1",
                        "#8d98a9",
                        "#ffab6b",
                        "#1a2029",
                        "#465266",
                        "#202733",
                        "#3f4b5e",
                        "#2a3341",
                        "#455166",
                        "#354051",
                        "#536178",
                        "#12161d",
                        "#66758c",
                        "#3b4657",
                        "#2c3542",
                        "#a9b8d0",
                        "#354051",
                        "#7590bb")
                + shards(DARK_SHARDS);
    }

    private static String shards(String... fills) {
        StringBuilder classes = new StringBuilder();
        for (int i = 0; i < fills.length; i++) {
            classes.append(".s").append(i).append(" { fill: ").append(fills[i]).append("; }\n");
        }
        return classes.toString();
    }
}
