package org.cabrank.bench.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.cabrank.lf.observe.Contention;

/**
 * Draws figures as lines of text for a terminal of a given size. Does not access a terminal; the lines fit the screen's
 * width, and their number its height.
 *
 * @param title name and address of the server
 * @param about kind of the server
 * @param footer the last line
 */
record Dashboard(String title, String about, String footer) {
    /** Narrower or lower ones get what there is room for. */
    static final int COLUMNS_MIN = 20;

    private static final int SPARKLINE_MIN = 10;
    private static final int FIGURE_WIDTH = 9;
    private static final int LOG_LINES_MAX = 5;

    /** The head of a table and the empty line before it. */
    private static final int TABLE_FRAME = 2;

    /** @param log messages logged since the start, the latest last */
    List<String> draw(LiveFigures figures, List<String> log, ScreenSize size, TerminalPalette palette) {
        int columns = Math.max(COLUMNS_MIN, size.columns());
        List<String> top = new ArrayList<>();
        top.add(new ScreenLine(columns)
                .add(title, palette::strong)
                .addRight("up " + LiveFormats.clock(figures.uptimeNs()), palette::dim)
                .toString());
        top.add(new ScreenLine(columns).add(about, palette::dim).toString());
        top.add("");
        top.addAll(throughput(figures, columns, palette));
        top.addAll(latency(figures, columns, palette));
        top.addAll(traffic(figures, columns, palette));
        top.addAll(leadership(figures, columns, palette));
        return fit(top, threads(figures, palette), shards(figures, palette), log, columns, size.rows(), palette);
    }

    private static List<String> throughput(LiveFigures figures, int columns, TerminalPalette palette) {
        String rate = LiveFormats.rate(figures.requestsPerS());
        ScreenLine line = new ScreenLine(columns)
                .add("requests/s", palette::dim)
                .at(Flow.LABEL_WIDTH)
                .add(rate, palette::strong)
                .at(Flow.LABEL_WIDTH + FIGURE_WIDTH);
        int room = line.room() - 1;
        if (room >= SPARKLINE_MIN) {
            line.add(" ").add(Sparkline.of(figures.history(), room, palette.utf8()), palette::calm);
        }
        List<String> lines = new ArrayList<>();
        lines.add(line.toString());
        lines.addAll(new Flow(columns, palette, "")
                .add("peak", LiveFormats.rate(figures.peak()))
                .add("events/s", LiveFormats.rate(figures.eventsPerS()))
                .add("requests in all", LiveFormats.count(figures.requests()))
                .lines());
        return lines;
    }

    private static List<String> latency(LiveFigures figures, int columns, TerminalPalette palette) {
        Flow flow = new Flow(columns, palette, "latency");
        if (figures.latency().events() == 0) {
            flow.add("", "no events", palette::dim);
        } else {
            for (Percentile percentile : Percentile.values()) {
                flow.add(percentile.label(), LiveFormats.time(figures.latency().percentileNs(percentile.percent())));
            }
        }
        if (figures.windowNs() > 0) {
            flow.add("in the last", LiveFormats.seconds(figures.windowNs()), palette::dim);
        }
        return flow.lines();
    }

    private static List<String> traffic(LiveFigures figures, int columns, TerminalPalette palette) {
        List<String> lines = new ArrayList<>(new Flow(columns, palette, "connections")
                .add("", LiveFormats.count(figures.connections()))
                .add("opened/s", LiveFormats.rate(figures.openedPerS()))
                .add("closed/s", LiveFormats.rate(figures.closedPerS()))
                .add("failures", LiveFormats.count(figures.failures()), palette.wanting(figures.failures()))
                .lines());
        lines.addAll(new Flow(columns, palette, "bytes/s")
                .add("in", LiveFormats.bytes(figures.receivedBytesPerS()))
                .add("out", LiveFormats.bytes(figures.sentBytesPerS()))
                .lines());
        return lines;
    }

    private static List<String> leadership(LiveFigures figures, int columns, TerminalPalette palette) {
        if (figures.isOfOwnLoops()) {
            return new Flow(columns, palette, "leadership")
                    .words("none: each thread has a loop of its own", ScreenLine.Style.PLAIN)
                    .lines();
        }
        List<String> lines = new ArrayList<>(new Flow(columns, palette, "leadership")
                .add("promotions", change(figures.promotions()))
                .add("takeovers", change(figures.takeovers()))
                .add("failed takeovers", change(figures.failedTakeovers()))
                .lines());
        lines.addAll(new Flow(columns, palette, "gaps")
                .add(
                        "over the limit",
                        LiveFormats.count(figures.gapsOverLimit()),
                        palette.wanting(figures.gapsOverLimit()))
                .add("largest", figures.largestGapNs() == 0 ? "none" : LiveFormats.time(figures.largestGapNs()))
                .lines());
        lines.addAll(
                figures.isStarved()
                        ? starvation(figures, columns, palette)
                        : contention(figures.pools(), columns, palette));
        return lines;
    }

    private static String change(LiveFigures.Change change) {
        return LiveFormats.rate(change.perS()) + "/s (" + LiveFormats.count(change.total()) + ")";
    }

    /** Leaders that wait for a CPU look like slow handlers. */
    private static List<String> starvation(LiveFigures figures, int columns, TerminalPalette palette) {
        return new Flow(columns, palette, "contention")
                .words(
                        "unknown: threads of this machine waited for a CPU in "
                                + Math.round(100 * figures.cpuWaitShare()) + "% of the time",
                        palette::caution)
                .lines();
    }

    static List<String> contention(List<LiveFigures.OfPool> pools, int columns, TerminalPalette palette) {
        List<String> lines = new ArrayList<>();
        for (LiveFigures.OfPool pool : pools) {
            if (pool.contention().contended()) {
                lines.addAll(new Flow(columns, palette, "contention")
                        .words(pool.name() + ": " + pool.contention().advice(), palette::caution)
                        .lines());
            }
        }
        if (lines.isEmpty()) {
            lines.addAll(new Flow(columns, palette, "contention")
                    .add("", "none")
                    .add("wake-ups/event", ratio(most(pools, Contention::wakeupsPerEvent)))
                    .add("unwatched", ratio(100 * most(pools, Contention::handOverWaitShare)) + "%")
                    .lines());
        }
        return lines;
    }

    private static double most(List<LiveFigures.OfPool> pools, ToDoubleFunction<Contention> measure) {
        return pools.stream()
                .map(LiveFigures.OfPool::contention)
                .mapToDouble(measure)
                .max()
                .orElse(0);
    }

    private static ScreenTable threads(LiveFigures figures, TerminalPalette palette) {
        if (figures.isOfOwnLoops()) {
            ScreenTable loops = new ScreenTable(2, "thread", "state", "handled/s");
            figures.threads()
                    .forEach(thread -> loops.add(
                            ScreenLine.Style.PLAIN,
                            thread.name(),
                            thread.role(),
                            LiveFormats.rate(thread.handledPerS())));
            return loops;
        }
        ScreenTable table = new ScreenTable(2, "thread", "state", "handled/s", "promotions", "takeovers");
        for (LiveFigures.OfThread thread : figures.threads()) {
            table.add(
                    thread.leads() ? palette::strong : ScreenLine.Style.PLAIN,
                    thread.name(),
                    thread.role(),
                    LiveFormats.rate(thread.handledPerS()),
                    LiveFormats.count(thread.promotions()),
                    LiveFormats.count(thread.takeovers()));
        }
        return table;
    }

    private static ScreenTable shards(LiveFigures figures, TerminalPalette palette) {
        ScreenTable table = new ScreenTable(1, "shard", "connections", "events/s", "in B/s", "out B/s");
        if (figures.shards().size() == 1) {
            return table;
        }
        table.add(
                palette::strong,
                "most/mean",
                ratio(figures.balance().connections().ratio()),
                ratio(figures.balance().detected().ratio()),
                ratio(figures.balance().bytes().ratio()),
                "");
        for (LiveFigures.OfShard shard : figures.shards()) {
            table.add(
                    ScreenLine.Style.PLAIN,
                    "s" + shard.shard(),
                    LiveFormats.count(shard.connections()),
                    LiveFormats.rate(shard.eventsPerS()),
                    LiveFormats.bytes(shard.receivedBytesPerS()),
                    LiveFormats.bytes(shard.sentBytesPerS()));
        }
        return table;
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** The top stays, then come the tables, and the log gets what is left, but a line where it has something to say. */
    private List<String> fit(
            List<String> top,
            ScreenTable threads,
            ScreenTable shards,
            List<String> log,
            int columns,
            int rows,
            TerminalPalette palette) {
        List<String> lines = new ArrayList<>(top);
        int logWanted = log.isEmpty() ? 0 : 2;
        int frames = TABLE_FRAME + (shards.size() == 0 ? 0 : TABLE_FRAME);
        int left = rows - lines.size() - 1 - logWanted - frames;
        int forShards = Math.min(shards.size(), Math.max(left - threads.size(), left / 3));
        addTable(lines, threads, left - forShards, columns, palette);
        addTable(lines, shards, forShards, columns, palette);
        int forLog = Math.min(LOG_LINES_MAX, rows - lines.size() - 2);
        if (forLog > 0 && !log.isEmpty()) {
            lines.add("");
            for (String said : log.subList(Math.max(0, log.size() - forLog), log.size())) {
                lines.add(new ScreenLine(columns).add(said).toString());
            }
        }
        List<String> cut = new ArrayList<>(lines.subList(0, Math.max(0, Math.min(lines.size(), rows - 1))));
        while (cut.size() < rows - 1) {
            cut.add("");
        }
        cut.add(new ScreenLine(columns).add(footer, palette::dim).toString());
        return cut;
    }

    private static void addTable(
            List<String> lines, ScreenTable table, int rows, int columns, TerminalPalette palette) {
        if (table.size() > 0 && rows > 0) {
            lines.add("");
            lines.addAll(table.lines(columns, rows, palette));
        }
    }

    /** Values as bars beside each other. */
    static final class Sparkline {
        private static final String BLOCKS = "▁▂▃▄▅▆▇█";
        private static final String ASCII = "_.-=+*#@";

        private Sparkline() {}

        /**
         * Draws the latest values, the last at the right, on a scale from 0 to the highest of them. Columns without a value
         * stay blank.
         *
         * @param utf8 true if the terminal shows block characters
         */
        static String of(List<Double> values, int columns, boolean utf8) {
            List<Double> shown = values.subList(Math.max(0, values.size() - columns), values.size());
            String levels = utf8 ? BLOCKS : ASCII;
            double highest =
                    shown.stream().mapToDouble(Double::doubleValue).max().orElse(0);
            StringBuilder bars = new StringBuilder(" ".repeat(Math.max(0, columns - shown.size())));
            for (double value : shown) {
                int level = highest == 0 ? 0 : (int) Math.ceil(value / highest * levels.length()) - 1;
                bars.append(levels.charAt(Math.max(0, level)));
            }
            return bars.toString();
        }
    }
}
