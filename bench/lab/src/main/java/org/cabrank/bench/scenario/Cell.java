package org.cabrank.bench.scenario;

import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.CellInfo;

/**
 * One point of a scenario. Every server gets the same load in a cell. Only the rate may depend on the server.
 *
 * @param id id of the scenario and the point, such as {@code ping-pong/64x64B}
 * @param traffic the load. If {@code rateShare} is above 0, the load has no rate, because the rate is computed from a capacity.
 * @param rateShare rate as a share of the capacity {@code capacityOf}. 0 for a closed loop.
 * @param ownSlow slowness to which running servers change for this cell. If null, they keep the slowness of {@code needs}.
 */
public record Cell(
        String id,
        String label,
        Needs needs,
        LoadTraffic traffic,
        double rateShare,
        CapacityOf capacityOf,
        SlowRequests ownSlow) {

    /** Capacity from which a rate is computed. */
    public enum CapacityOf {
        /** Capacity of the baseline, measured in a closed loop without slow requests. */
        BASELINE,
        /** Capacity of each contender, measured in a closed loop in this cell. */
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

    /** Returns true if each round begins with discarded intervals. They compile the fixed-rate code, which the warm-up does not run. */
    public boolean rehearses() {
        return wantsCapacity();
    }

    public boolean wantsEachCapacity() {
        return wantsCapacity() && capacityOf == CapacityOf.EACH;
    }

    public boolean weighs() {
        return traffic.idleConnections() > 0;
    }

    /** @param capacity requests per second of the baseline. 0 if unknown. */
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
