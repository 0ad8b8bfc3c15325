package org.cabrank.stream.management;

/**
 * How evenly the shards of a reactor are loaded, as JMX shows it: {@code org.cabrank:type=Balance,name=...}. Each is what the
 * most loaded shard has in terms of the mean: from 1 (even) to the number of shards.
 */
public interface BalanceMXBean {
    int getShards();

    /** Of connections that stand now. */
    double getConnections();

    /** Of events since the start. */
    double getDetected();

    /** Of bytes received and sent since the start. */
    double getBytes();
}
