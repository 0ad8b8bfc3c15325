package org.cabrank.bench.scenario;

import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.RedisTest;
import org.cabrank.bench.report.CellInfo;

/**
 * A cell: one point of a scenario. Every server gets the same load in it.
 *
 * @param id id of the scenario and the point, such as {@code ping-pong/64x64B}
 * @param label name of the point for reports
 * @param needs the way in which servers are started for the cell
 * @param traffic the load; without its rate if the rate is a share of the capacity
 * @param rateShare rate as a share of the baseline's capacity; 0 for a closed loop
 */
public record Cell(String id, String label, Needs needs, LoadTraffic traffic, double rateShare) {

    /** The scenario's name. */
    public String scenario() {
        return id.substring(0, id.indexOf('/'));
    }

    /** Returns a copy for servers whose handlers block as {@code slow} says. */
    public Cell withSlow(SlowRequests slow) {
        return new Cell(id, label, needs.withSlow(slow), traffic, rateShare);
    }

    /** Returns a copy over another network, with its name in id and label; this cell if it is over {@code net} already. */
    public Cell over(Net net) {
        return net == needs.net()
                ? this
                : new Cell(id + "@" + net.word(), label + ", " + net.word(), needs.over(net), traffic, rateShare);
    }

    /** Returns true if the load has a rate that depends on the capacity, which must be measured first. */
    public boolean wantsCapacity() {
        return rateShare > 0;
    }

    /** Returns true if the memory of the cell's connections is measured. */
    public boolean weighs() {
        return traffic.idleConnections() > 0;
    }

    /** For the report; {@code capacity} of the baseline in requests per second, 0 where it is not known. */
    public CellInfo info(double capacity) {
        RedisTest test = traffic.redis();
        return new CellInfo(
                id,
                label,
                traffic.connections(),
                traffic.sizeBytes(),
                traffic.depth(),
                wantsCapacity() ? rateShare * capacity : traffic.ratePerSecond(),
                rateShare,
                traffic.idleConnections(),
                needs.slow().permille(),
                needs.slow().timeNs(),
                test == null ? null : test.label(),
                test == null ? 0 : test.sleepBesideNs(),
                needs.word(),
                needs.group());
    }
}
