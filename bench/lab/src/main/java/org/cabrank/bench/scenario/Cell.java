package org.cabrank.bench.scenario;

import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.CellInfo;

/**
 * One point of a scenario. Every server gets the same load in a cell, except for rates that depend on the server.
 *
 * @param id id of the scenario and the point, such as {@code ping-pong/64x64B}
 * @param label name of the point for reports
 * @param needs the way in which servers are started for the cell
 * @param traffic without its rate if the rate is a share of a capacity
 * @param rateShare rate as a share of a capacity; 0 for a closed loop
 * @param ownSlow slowness to which running servers change for the cell; null: the slowness of {@code needs}
 */
public record Cell(
        String id,
        String label,
        Needs needs,
        LoadTraffic traffic,
        double rateShare,
        CapacityOf capacityOf,
        SlowRequests ownSlow) {

    /** Capacity of which a rate is a share. */
    public enum CapacityOf {
        /** The baseline in a closed loop without slow requests. */
        BASELINE,
        /** Each contender in a closed loop in this cell. */
        EACH
    }

    public Cell {
        if ((ownSlow != null) != needs.changing()) {
            throw new IllegalArgumentException(
                    id + ": a cell has a slowness to itself if its servers change, and only then");
        }
    }

    public Cell(String id, String label, Needs needs, LoadTraffic traffic, double rateShare) {
        this(id, label, needs, traffic, rateShare, CapacityOf.BASELINE, null);
    }

    public String scenario() {
        return id.substring(0, id.indexOf('/'));
    }

    public SlowRequests slow() {
        return ownSlow == null ? needs.slow() : ownSlow;
    }

    public Cell withSlow(SlowRequests slow) {
        return ownSlow == null
                ? new Cell(id, label, needs.withSlow(slow), traffic, rateShare, capacityOf, null)
                : new Cell(id, label, needs, traffic, rateShare, capacityOf, slow);
    }

    public boolean wantsCapacity() {
        return rateShare > 0;
    }

    /**
     * True if each round begins with intervals that do not count. They compile the code that runs once per event: at a fixed rate an event
     * brings fewer requests than in the closed loops of the warm-up.
     */
    public boolean rehearses() {
        return wantsCapacity();
    }

    public boolean wantsEachCapacity() {
        return wantsCapacity() && capacityOf == CapacityOf.EACH;
    }

    public boolean weighs() {
        return traffic.idleConnections() > 0;
    }

    /** @param capacity requests per second of which the rate is a share; 0 if unknown or different for each contender */
    public CellInfo info(double capacity) {
        boolean rated = wantsCapacity() && !wantsEachCapacity();
        return new CellInfo(
                id,
                label,
                traffic.connections(),
                traffic.sizeBytes(),
                traffic.depth(),
                rated ? rateShare * capacity : traffic.ratePerSecond(),
                rateShare,
                traffic.idleConnections(),
                slow().permille(),
                slow().timeNs(),
                needs.word(),
                needs.group(),
                wantsEachCapacity(),
                slow().permille() == 0 ? null : slow().way().toString());
    }
}
