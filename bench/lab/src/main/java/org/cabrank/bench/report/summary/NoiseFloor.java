package org.cabrank.bench.report.summary;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.statistics.Interval;

/** Largest difference between the two runs of the baseline. If it is not measured, {@code factor} is NaN and {@code cell} is null. */
public record NoiseFloor(boolean measured, double factor, String cell) {

    public static NoiseFloor of(BenchReport report) {
        List<CellResult> cells = report.cells().stream()
                .filter(cell -> off(cell.noiseFloor().get(metric(report, cell))) >= 1)
                .toList();
        return cells.stream()
                .max(Comparator.comparingDouble(cell -> off(cell.noiseFloor().get(metric(report, cell)))))
                .map(cell -> new NoiseFloor(true, off(cell.noiseFloor().get(metric(report, cell))), cell.cell()))
                .orElse(new NoiseFloor(false, Double.NaN, null));
    }

    public String text() {
        if (!measured) {
            return "No noise floor: the baseline was measured once, so small differences may be noise.";
        }
        String times = factor < 2
                ? String.format(Locale.ROOT, "up to %.1f %%", (factor - 1) * 100)
                : String.format(Locale.ROOT, "a factor of up to %.1f", factor);
        return "Noise: the baseline was measured twice, and differed from itself by " + times + " (median, in " + cell
                + ").";
    }

    public static Metric metric(BenchReport report, CellResult cell) {
        return report.cellInfo(cell.cell()).map(Metric::headline).orElse(Metric.REQUESTS_PER_SECOND);
    }

    /** Returns the median's distance from 1 as a factor of at least 1. Returns NaN if there is no median. */
    private static double off(Interval interval) {
        return interval == null ? Double.NaN : Math.max(interval.median(), 1 / interval.median());
    }
}
