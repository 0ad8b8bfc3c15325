package org.cabrank.bench.run;

import java.util.List;
import org.cabrank.bench.queue.QueueSimulation;
import org.cabrank.bench.queue.ServiceTimes;
import org.cabrank.bench.report.LoadCurve;
import org.cabrank.bench.scenario.Cell;
import org.cabrank.bench.scenario.LoadCurveCells;

/** Computes for the cells of a load curve what the queues M/G/k and k × M/G/1 would show. */
final class QueueingModel {

    /** Enough for a tail within some percent even of the most uneven times at the highest load. */
    private static final int REQUESTS = 1_000_000;

    private static final double NS_PER_US = 1e3;
    private static final double PERCENT = 100;

    private QueueingModel() {}

    /**
     * Returns the curve; null if {@code cells} has no cell of that kind.
     *
     * @param wakeUp times by which waits end late, on average part of each handler's time; null: not measured
     */
    static LoadCurve curve(List<Cell> cells, WakeUp.Times wakeUp) {
        List<Cell> loaded = cells.stream().filter(Cell::wantsHandlersCapacity).toList();
        return loaded.isEmpty() || wakeUp == null
                ? null
                : new LoadCurve(
                        LoadCurveCells.SERVERS,
                        REQUESTS,
                        wakeUp.meanNs(),
                        wakeUp.p99Ns(),
                        loaded.parallelStream()
                                .map(cell -> point(cell, wakeUp.meanNs()))
                                .toList());
    }

    private static LoadCurve.Point point(Cell cell, long lateNs) {
        return new LoadCurve.Point(
                cell.id(),
                cell.slow().spread().tailPercentile(),
                times(cell, LoadCurveCells.SERVERS, lateNs),
                times(cell, 1, lateNs));
    }

    private static LoadCurve.Times times(Cell cell, int servers, long lateNs) {
        double meanUs = cell.slow().timeNs() / NS_PER_US;
        double lateUs = lateNs / NS_PER_US;
        ServiceTimes services = random -> cell.slow().spread().draw(random) * meanUs + lateUs;
        QueueSimulation.Quantiles quantiles = new QueueSimulation(
                        servers, cell.rateShare() * servers / (meanUs + lateUs), services)
                .quantiles(REQUESTS, cell.slow().spread().tailPercentile() / PERCENT);
        return new LoadCurve.Times(
                quantiles.p50(),
                quantiles.p98(),
                quantiles.p99(),
                quantiles.p995(),
                quantiles.p999(),
                quantiles.tailAccuracy());
    }
}
