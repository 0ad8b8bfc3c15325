package org.cabrank.example;

import java.util.Locale;

/** The picture of the first page: a slow handler beside its neighbours, by an event loop and by Cabrank, drawn from a recorded run. */
final class SlowHandlerPicture {
    private static final int LANES = 4;
    private static final int LANE_HEIGHT = 26;
    private static final int TOP = 78;
    private static final int PANEL_WIDTH = 350;
    private static final int AXIS = 36;
    private static final double PIXELS_PER_MS = 42;
    private static final double SHOWN_MS = 7;

    private final RecordedRun run;
    private final String text;
    private final String faint;
    private final String panel;
    private final StringBuilder svg = new StringBuilder();

    private SlowHandlerPicture(RecordedRun run, boolean dark) {
        this.run = run;
        text = dark ? "#e6edf3" : "#1f2328";
        faint = dark ? "#9198a1" : "#59636e";
        panel = dark ? "#161b22" : "#f6f8fa";
    }

    /** Returns the picture as SVG. */
    static String of(RecordedRun run, boolean dark) {
        return new SlowHandlerPicture(run, dark).draw();
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"740\" height=\"250\" viewBox=\"0 0 740 250\" "
                        + "font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"%s\">",
                text);
        panel(10, "An event loop", "netty-epoll", false);
        panel(380, "Cabrank", "cabrank-epoll-deferred", true);
        add("<text x=\"10\" y=\"240\" font-size=\"9.5\" fill=\"%s\">%s</text>", faint, run.origin());
        add("</svg>");
        return svg.toString();
    }

    private void panel(int left, String title, String contender, boolean takenOver) {
        double p99 = run.figure(contender, "slow p99");
        add("<rect x=\"%d\" y=\"8\" width=\"%d\" height=\"212\" rx=\"8\" fill=\"%s\"/>", left, PANEL_WIDTH, panel);
        add("<text x=\"%d\" y=\"32\" font-size=\"16\" font-weight=\"600\">%s</text>", left + 12, title);
        add(
                "<text x=\"%d\" y=\"54\" font-size=\"13\">99 %% within <tspan font-weight=\"700\">%.1f ms</tspan>, "
                        + "%,.0f,000 requests/s</text>",
                left + 12, p99, run.slowThousands(contender));
        for (int lane = 0; lane < LANES; lane++) {
            int y = TOP + lane * LANE_HEIGHT;
            add("<text x=\"%d\" y=\"%d\" fill=\"%s\">%c</text>", left + 14, y + 14, faint, 'a' + lane);
            if (lane == 0) {
                bar(left, y, 0, run.blockedMs(), "#d1242f", "handler blocks");
            } else {
                bar(left, y, 0, p99, "#9a6700", takenOver ? "" : "waits");
                bar(left, y, p99, SHOWN_MS, "#1a7f37", takenOver ? "served" : "");
            }
        }
        for (int ms = 0; ms <= SHOWN_MS; ms += 2) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" font-size=\"11\" fill=\"%s\" text-anchor=\"middle\">%d ms</text>",
                    left + AXIS + ms * PIXELS_PER_MS, TOP + LANES * LANE_HEIGHT + 16, faint, ms);
        }
    }

    private void bar(int left, int y, double fromMs, double toMs, String colour, String label) {
        double x = left + AXIS + fromMs * PIXELS_PER_MS;
        add(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"20\" rx=\"3\" fill=\"%s\"/>",
                x, y, (toMs - fromMs) * PIXELS_PER_MS, colour);
        if (!label.isEmpty()) {
            add("<text x=\"%.1f\" y=\"%d\" font-size=\"12\" fill=\"#ffffff\">%s</text>", x + 8, y + 14, label);
        }
    }
}
