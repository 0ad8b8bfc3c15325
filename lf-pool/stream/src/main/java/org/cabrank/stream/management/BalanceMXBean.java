package org.cabrank.stream.management;

/**
 * Distribution of load over the shards of a reactor, for JMX: {@code org.cabrank:type=Balance,name=...}. Each value is that of
 * the most loaded shard divided by the mean: from 1 (even) to the number of shards.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface BalanceMXBean {
    int getShards();

    /** Returns the value of connections that stand now. */
    double getConnections();

    /** Returns the value of events since the start. */
    double getDetected();

    /** Returns the value of bytes received and sent since the start. */
    double getBytes();
}
