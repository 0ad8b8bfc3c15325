package org.cabrank.bench.report.html;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.summary.ReportFormats;

/** Draws intervals as bars on a logarithmic scale from 1 / reach to reach. A value beyond the scale is drawn at its end. */
record Forest(double reach) {

    private static final double[] REACHES = {1.1, 1.25, 1.5, 2, 3, 5};

    /** Chooses the smallest scale that contains all medians. If there is none, chooses the largest scale. */
    static Forest of(List<Interval> intervals) {
        double farthest = intervals.stream()
                .mapToDouble(Interval::median)
                .filter(median -> median > 0)
                .map(median -> Math.max(median, 1 / median))
                .max()
                .orElse(1);
        return new Forest(Arrays.stream(REACHES)
                .filter(reach -> reach > farthest * 1.02)
                .findFirst()
                .orElse(REACHES[REACHES.length - 1]));
    }

    String scale() {
        return "from " + ReportFormats.ratio(1 / reach) + " to " + ReportFormats.ratio(reach);
    }

    /** Screen readers skip the bar, because the text beside it has the same content. */
    String bar(Interval interval, Interval noise, String tone) {
        StringBuilder bar = new StringBuilder("<span class=\"bar " + tone + "\" aria-hidden=\"true\">");
        if (noise != null && noise.known()) {
            double far = noise.farthestFromOne();
            bar.append(span("noise", 1 / far, far));
        }
        bar.append("<i class=\"one\"></i>");
        if (interval.known()) {
            bar.append(span("range", interval.low(), interval.high()));
        }
        if (interval.median() > 0) {
            double at = percent(interval.median());
            bar.append(String.format(
                    Locale.ROOT,
                    "<i class=\"dot%s\" style=\"left:%.2f%%\"></i>",
                    at <= 0 ? " below" : at >= 100 ? " above" : "",
                    at));
        }
        return bar.append("</span>").toString();
    }

    private String span(String name, double low, double high) {
        double left = percent(low);
        return String.format(
                Locale.ROOT,
                "<i class=\"%s\" style=\"left:%.2f%%;width:%.2f%%\"></i>",
                name,
                left,
                percent(high) - left);
    }

    private double percent(double ratio) {
        double at = 50 + 50 * Math.log(ratio) / Math.log(reach);
        return Math.max(0, Math.min(100, at));
    }
}
