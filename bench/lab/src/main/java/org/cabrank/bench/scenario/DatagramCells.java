package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.text.ByteSizes;

/** Cells of the scenario {@code datagrams}: closed loops, fixed rates, and closed loops with segments (UDP segmentation offload). */
public final class DatagramCells {

    /** The size of a typical market data message, and the payload of an internet packet of full size. */
    public static final List<Integer> SIZES = List.of(64, 1_200);

    /** With so few flows, the load generator handles several datagrams with one system call and is not the bottleneck. */
    public static final int FLOWS = 8;

    /** Number of datagrams under way on each flow of a closed loop. All of them fit into a server's receive buffer. */
    public static final int WINDOW = 16;

    private static final double PERCENT = 100;

    private DatagramCells() {}

    /** For each size and number of flows, returns a closed loop, fixed rates ({@code percents} of the capacity) and segments. */
    public static List<Cell> of(List<Integer> sizes, List<Integer> flows, List<Integer> percents) {
        List<Cell> cells = new ArrayList<>();
        for (int bytes : sizes) {
            flows.forEach(count -> cells.addAll(of(bytes, count, percents)));
        }
        return cells;
    }

    private static List<Cell> of(int bytes, int flows, List<Integer> percents) {
        List<Cell> cells = new ArrayList<>();
        LoadTraffic traffic = LoadTraffic.pingPong(flows, bytes).withDepth(WINDOW);
        String name = flows + "x" + WINDOW + "x" + ByteSizes.format(bytes, "");
        String label = String.format(Locale.ROOT, "%,d × %d × ", flows, WINDOW) + ByteSizes.format(bytes, " ");
        cells.add(new Cell(Scenarios.DATAGRAMS + "/" + name, label, Needs.DATAGRAMS, traffic, 0));
        for (int percent : percents) {
            cells.add(new Cell(
                    Scenarios.DATAGRAMS + "/" + percent + "%-" + flows + "x" + ByteSizes.format(bytes, ""),
                    percent + " %, " + String.format(Locale.ROOT, "%,d × ", flows) + ByteSizes.format(bytes, " "),
                    Needs.DATAGRAMS,
                    traffic,
                    percent / PERCENT));
        }
        cells.add(new Cell(
                Scenarios.DATAGRAMS + "/segments-" + name, label + ", segments", Needs.DATAGRAM_SEGMENTS, traffic, 0));
        return cells;
    }
}
