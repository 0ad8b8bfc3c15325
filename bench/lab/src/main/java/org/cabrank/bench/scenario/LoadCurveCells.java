package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.handler.TimeSpread;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.scenario.Cell.CapacityOf;

/**
 * Cells of the scenario {@code load-curve}: each request waits for a while in its handler, and requests come as a Poisson process at a
 * share of what {@link #SERVERS} handlers at a time can do. The same processes serve all cells.
 */
public final class LoadCurveCells {

    public static final List<TimeSpread> SPREADS = List.of(TimeSpread.values());
    public static final List<Integer> PERCENTS = List.of(10, 30, 50, 65, 80, 90, 95);

    /** Mean time in ns for which a handler waits. */
    public static final long MEAN_NS = 1_000_000;

    /** Number of requests that servers with a limit handle at a time: k. */
    public static final int SERVERS = ServerSettings.DEFAULT_THREADS;

    /** So many that hardly ever a request is drawn for a connection that awaits an answer. */
    public static final int CONNECTIONS = 1_024;

    /** Under bimodal times a tail depends on one request in a hundred: so many times longer intervals tell as much of it. */
    private static final int BIMODAL_DURATIONS = 6;

    private static final int BYTES = 64;
    private static final long SEED = 11;
    private static final int ALL_PERMILLE = 1_000;
    private static final double PERCENT = 100;

    private LoadCurveCells() {}

    /** Length of the measured intervals of {@code cell}, in terms of the other cells'. */
    static int durations(Cell cell) {
        return cell.slow().spread() == TimeSpread.BIMODAL && LoadCurve.judged(cell.rateShare()) ? BIMODAL_DURATIONS : 1;
    }

    /**
     * Returns a cell for each distribution and load.
     *
     * @param percents loads in percent of the capacity, 1 to 99
     * @param meanNs mean time in ns for which a handler waits
     */
    public static List<Cell> of(List<TimeSpread> spreads, List<Integer> percents, long meanNs, int connections) {
        List<Cell> cells = new ArrayList<>();
        for (TimeSpread spread : spreads) {
            for (int percent : percents) {
                if (percent < 1 || percent >= PERCENT) {
                    throw new IllegalArgumentException("load is " + percent + " %, expected 1 to 99");
                }
                cells.add(new Cell(
                        Scenarios.LOAD_CURVE + "/" + spread + "-" + percent + "%",
                        spread + ", " + percent + " %",
                        Needs.changing(Protocol.ECHO),
                        LoadTraffic.pingPong(connections, BYTES).withPoisson(SEED),
                        percent / PERCENT,
                        CapacityOf.HANDLERS,
                        new SlowRequests(ALL_PERMILLE, meanNs, BlockingWay.PARK, spread)));
            }
        }
        return cells;
    }
}
