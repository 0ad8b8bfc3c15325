package org.cabrank.bench.model;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What things cost, in ns of a core's time where nothing else is said.
 *
 * @param harvestNs a call that brings all ready events
 * @param eventNs a request, apart from its work: receive, dispatch, send
 * @param promotionNs giving leadership away and taking it, in one thread's cache
 * @param transferNs a modified cache line that comes from another core
 * @param remoteTransferNs the same from a core of another memory node
 * @param promotionLines cache lines that go with leadership: its word, the ready list, the follower's place
 * @param connectionLines cache lines that go with a connection
 * @param wakeupNs from waking a sleeping thread until it runs: passes without a core
 * @param unparkNs waking it, for the one who does
 */
public record Costs(
        double harvestNs,
        double eventNs,
        double promotionNs,
        double transferNs,
        double remoteTransferNs,
        double promotionLines,
        double connectionLines,
        double wakeupNs,
        double unparkNs) {

    private static final double MAX_NS = 1e9;

    public Costs {
        asMap(
                        harvestNs,
                        eventNs,
                        promotionNs,
                        transferNs,
                        remoteTransferNs,
                        promotionLines,
                        connectionLines,
                        wakeupNs,
                        unparkNs)
                .forEach((name, value) -> {
                    if (!(value >= 0 && value <= MAX_NS)) {
                        throw new IllegalArgumentException(
                                "the cost " + name + " is " + value + ", expected 0 to " + (long) MAX_NS);
                    }
                });
    }

    /** By the names that the command line takes, in the order of the fields. */
    public Map<String, Double> asMap() {
        return asMap(
                harvestNs,
                eventNs,
                promotionNs,
                transferNs,
                remoteTransferNs,
                promotionLines,
                connectionLines,
                wakeupNs,
                unparkNs);
    }

    private static Map<String, Double> asMap(double... values) {
        String[] names = {
            "harvest",
            "event",
            "promotion",
            "transfer",
            "remote-transfer",
            "promotion-lines",
            "connection-lines",
            "wakeup",
            "unpark"
        };
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], values[i]);
        }
        return map;
    }

    /**
     * With the costs that {@code given} names instead of these.
     *
     * @throws IllegalArgumentException naming the one that does not exist, or that is out of range
     */
    public Costs with(Map<String, Double> given) {
        Map<String, Double> all = asMap();
        given.forEach((name, value) -> {
            if (all.replace(name, value) == null) {
                throw new IllegalArgumentException(
                        "there is no cost '" + name + "': there are " + String.join(", ", all.keySet()));
            }
        });
        double[] values = all.values().stream().mapToDouble(Double::doubleValue).toArray();
        int at = 0;
        return new Costs(
                values[at++],
                values[at++],
                values[at++],
                values[at++],
                values[at++],
                values[at++],
                values[at++],
                values[at++],
                values[at]);
    }

    /** The time for which nobody else can lead while leadership goes to a sleeping thread on another core of the same node. */
    double handOverNs() {
        return promotionNs + promotionLines * transferNs + wakeupNs;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        asMap().forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append(String.format(Locale.ROOT, name.endsWith("lines") ? " %.0f" : " %.0f ns", value)));
        return text.toString();
    }
}
