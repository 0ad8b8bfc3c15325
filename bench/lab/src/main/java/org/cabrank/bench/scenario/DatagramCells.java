package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.text.ByteSizes;

/** Cells of {@code datagrams}: UDP datagrams that return, in a closed loop, at fixed rates, and in segments that the kernel cuts. */
public final class DatagramCells {

    /** A market data message, and the payload of an internet packet. */
    public static final List<Integer> SIZES = List.of(64, 1_200);

    /** Few, so that one system call of the load handles several datagrams of a socket, and the load is not the bottleneck. */
    public static final int FLOWS = 8;

    /** Datagrams under way on each flow of a closed loop: the datagrams of all flows fit into a server's receive buffer. */
    public static final int WINDOW = 16;

    private static final double PERCENT = 100;

    private DatagramCells() {}

    /** Returns, for each size and number of flows: a closed loop, a rate for each percentage of its capacity, a closed loop of segments. */
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
