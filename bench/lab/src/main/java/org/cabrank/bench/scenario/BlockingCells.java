package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.scenario.Cell.CapacityOf;
import org.cabrank.bench.text.Durations;

/** Cells of the scenario {@code blocking}. Some HTTP requests block. The rate is half of each contender's capacity. */
public final class BlockingCells {

    public static final List<Integer> PERMILLES = List.of(1, 10);
    public static final long TIME_NS = 5_000_000;

    private static final double LOAD = 0.5;

    /** Has no effect, because the size of a GET is fixed. */
    private static final int BYTES = 64;

    private BlockingCells() {}

    /** Returns a cell for each way to block and each number of slow requests in 1,000. A slow request blocks for {@code timeNs}. */
    public static List<Cell> of(List<Integer> permilles, long timeNs, int connections) {
        List<Cell> cells = new ArrayList<>();
        for (BlockingWay way : BlockingWay.values()) {
            for (int permille : permilles) {
                if (permille < 1) {
                    throw new IllegalArgumentException("--slow-permille is " + permille
                            + ", expected 1 to 1000: cells without a request that blocks are those of the plain bench");
                }
                cells.add(new Cell(
                        Scenarios.BLOCKING + "/" + way + "-" + permille + "permille",
                        way + ", " + permille + " ‰ × " + Durations.format(timeNs),
                        Needs.changing(Protocol.HTTP),
                        LoadTraffic.pingPong(connections, BYTES),
                        LOAD,
                        CapacityOf.EACH,
                        new SlowRequests(permille, timeNs, way)));
            }
        }
        return cells;
    }
}
