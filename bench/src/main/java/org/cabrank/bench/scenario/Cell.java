package org.cabrank.bench.scenario;

import org.cabrank.bench.load.Traffic;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.serve.SlowRequests;

/**
 * One point of a scenario: what every server is asked for in the same way.
 *
 * @param id of the scenario and the point, such as {@code ping-pong/64x64B}
 * @param label of the point, for people
 * @param needs how servers are started for it
 * @param traffic what they are loaded with; of a cell with a share of the capacity without its rate
 * @param rateShare of the baseline's capacity that the rate is; 0 for a closed loop
 */
public record Cell(String id, String label, Needs needs, Traffic traffic, double rateShare) {

    /** The scenario's name. */
    public String scenario() {
        return id.substring(0, id.indexOf('/'));
    }

    /** The same, of servers that block like that. */
    public Cell withSlow(SlowRequests slow) {
        return new Cell(id, label, needs.withSlow(slow), traffic, rateShare);
    }

    /** Whether the load is sent at a rate that has to be found out first. */
    public boolean wantsCapacity() {
        return rateShare > 0;
    }

    /** Whether the memory of its connections is weighed. */
    public boolean weighs() {
        return traffic.idleConnections() > 0;
    }

    /** For the report; {@code capacity} of the baseline in requests per second, 0 where it is not known. */
    public CellInfo info(double capacity) {
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
                needs.word(),
                needs.group());
    }
}
