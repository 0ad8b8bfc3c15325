package org.cabrank.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.cabrank.bench.report.statistics.LookSchedule;

/**
 * Precision of a bench that decided by looks at its results what to measure next.
 *
 * @param looks the rounds of the looks, and the error that they may spend
 * @param target half-width of an interval, relative to the ratio, at which a ratio is precise: 0.05 is ± 5 %
 * @param cells the cells, in the order of the report
 */
public record Precision(LookSchedule looks, double target, List<CellPrecision> cells) {

    /** Target of {@code cabrank bench}. */
    public static final double TARGET = 0.05;

    /** Share of its cells that a bench that can tell has precise. */
    private static final double SHARE = 0.8;

    private static final double MINUTE_NS = 60e9;
    private static final double MINUTES_SHOWN = 90;

    /** Nobody waits longer for one cell. */
    private static final double FURTHER_NS_MAX = 8 * 60 * MINUTE_NS;

    public Precision {
        cells = List.copyOf(cells);
    }

    /**
     * Precision of a cell.
     *
     * @param cell id of the cell
     * @param rounds number of rounds in which the cell was measured
     * @param halfWidth half-width of the headline's interval, relative to the ratio; NaN before the first look, or if one of its
     *     contenders failed
     * @param headline the two contenders of the ratio that the summary shows of the cell, the best of Cabrank's modes and the best Java peer;
     *     empty if {@code halfWidth} is NaN
     * @param settled true if the headline is precise, and no ratio of the cell is without an interval
     * @param ratios number of ratios: of each contender and the baseline, and of the best of Cabrank's modes and the best Java
     *     peer; 0 before the first look
     * @param precise number of these ratios that are precise
     * @param unknown the contenders of each ratio without an interval, because one of them failed in too many rounds
     * @param furtherNs estimated time in ns until the headline is precise, at the variance seen so far; 0 if it is, or has no
     *     interval; NaN before the first look
     */
    public record CellPrecision(
            String cell,
            int rounds,
            double halfWidth,
            String headline,
            boolean settled,
            int ratios,
            int precise,
            List<String> unknown,
            double furtherNs) {

        public CellPrecision {
            unknown = unknown == null
                    ? List.of()
                    : List.copyOf(unknown); // null: an earlier report, which has no such list
        }

        /** Of a cell before the first look. */
        public static CellPrecision unseen(String cell, int rounds) {
            return new CellPrecision(cell, rounds, Double.NaN, "", false, 0, 0, List.of(), Double.NaN);
        }

        /** Returns true if all ratios are precise: a ratio without an interval is not. */
        @JsonIgnore
        public boolean allPrecise() {
            return ratios > 0 && precise == ratios;
        }
    }

    /** Number of cells whose headline is precise. */
    @JsonIgnore
    public long settledCells() {
        return cells.stream().filter(CellPrecision::settled).count();
    }

    /** Returns true if enough cells are settled. */
    @JsonIgnore
    public boolean reached() {
        return settledCells() >= SHARE * cells.size();
    }

    /** Two sentences or three: the number of precise cells and ratios, and the time that the other cells would take. */
    public String words() {
        long ratios = cells.stream().mapToLong(CellPrecision::ratios).sum();
        long precise = cells.stream().mapToLong(CellPrecision::precise).sum();
        String words = String.format(
                Locale.ROOT,
                "Precision: in %d of %d cells the 95 %% interval of the best of Cabrank's modes against the best Java peer is within"
                        + " ± %.0f %%, in %d every interval, as are %d of all %d ratios.",
                settledCells(),
                cells.size(),
                target * 100,
                cells.stream().filter(CellPrecision::allPrecise).count(),
                precise,
                ratios);
        return words + unseen() + unknown() + remaining();
    }

    /** Cells that no look has seen, because the bench ended early or a contender failed again and again. */
    private String unseen() {
        String names = cells.stream()
                .filter(cell -> Double.isNaN(cell.furtherNs()))
                .map(CellPrecision::cell)
                .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? ""
                : " Too few rounds for any interval, which takes " + looks.firstRound() + ": " + names + ".";
    }

    /** Ratios whose contenders failed. */
    private String unknown() {
        String each = cells.stream()
                .filter(cell -> !cell.unknown().isEmpty())
                .map(cell -> cell.cell() + " (" + String.join(", ", cell.unknown()) + ")")
                .collect(Collectors.joining(", "));
        return each.isEmpty() ? "" : " Without an interval, because a contender failed: " + each + ".";
    }

    private String remaining() {
        String hopeless = cells.stream()
                .filter(cell -> cell.furtherNs() > FURTHER_NS_MAX)
                .map(CellPrecision::cell)
                .collect(Collectors.joining(", "));
        String noisy = hopeless.isEmpty()
                ? ""
                : " This machine is too noisy to tell in " + hopeless
                        + ": fewer other processes, or a machine without other guests, would help.";
        String each = cells.stream()
                .filter(cell -> cell.furtherNs() > 0 && cell.furtherNs() <= FURTHER_NS_MAX)
                .sorted(Comparator.comparingDouble(CellPrecision::furtherNs))
                .map(cell -> String.format(
                        Locale.ROOT,
                        "%s (± %.0f %% for %s) %s",
                        cell.cell(),
                        cell.halfWidth() * 100,
                        cell.headline(),
                        time(cell.furtherNs())))
                .collect(Collectors.joining(", "));
        return (each.isEmpty()
                        ? ""
                        : " At the variance seen, each of these cells alone would take so much longer: " + each + ".")
                + noisy;
    }

    private static String time(double ns) {
        double minutes = Math.max(1, Math.ceil(ns / MINUTE_NS));
        return minutes <= MINUTES_SHOWN
                ? String.format(Locale.ROOT, "%.0f min", minutes)
                : String.format(Locale.ROOT, "%,.0f h", Math.ceil(minutes / 60));
    }
}
