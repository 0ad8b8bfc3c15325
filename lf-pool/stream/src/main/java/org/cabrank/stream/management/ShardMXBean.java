package org.cabrank.stream.management;

/**
 * A shard of a reactor as JMX shows it: {@code org.cabrank:type=Shard,name=...,shard=...}. Counts are since the start; see
 * {@link org.cabrank.stream.ShardCounters}.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ShardMXBean {
    /** Connections that it serves now. */
    long getConnections();

    /** Connections that have been opened in it. */
    long getOpened();

    /** Connections that have ended in it. */
    long getClosed();

    /** Connections that have come from other shards. */
    long getMovedIn();

    /** Connections that have gone to other shards. */
    long getMovedOut();

    /**
     * Connections that were assigned to this shard, and that another shard serves because this shard had not opened those it had
     * been given.
     */
    long getPassedBy();

    /** Connections that were accepted and reset, because their listener had as many as it may. */
    long getOverLimit();

    /** Pauses for the accept rate of a listener during which a connection has waited. */
    long getAcceptRatePauses();

    /** Connections that were closed at a limit: see {@link org.cabrank.stream.ClosedAtLimits}, likewise the next ones. */
    long getClosedIdle();

    long getClosedAtDeadline();

    long getClosingGivenUp();

    long getClosedUnread();

    long getClosedForMemory();

    long getConnectsTimedOut();

    /** Times that reading of a connection has paused: see {@link org.cabrank.stream.StreamCounters#readingPauses}. */
    long getReadingPauses();

    /** Received descriptors that were closed: see {@link org.cabrank.stream.StreamCounters#descriptorsDropped}. */
    long getDescriptorsDropped();

    /** Events that the kernel has reported. */
    long getDetected();

    /** Bytes received since the start. */
    long getReceivedBytes();

    /** Bytes sent since the start. */
    long getSentBytes();

    /** Calls and requests to accept a connection that have failed. */
    long getAcceptFailures();

    /** Connections that were accepted and closed unserved. */
    long getRefused();

    /** Bytes that hold unread and queued bytes of connections now. */
    long getMemoryUsedBytes();

    /** Upper bound of {@link #getMemoryUsedBytes}. */
    long getMemoryLimitBytes();

    /** Requests for such memory that were refused; most of them have closed a connection. */
    long getMemoryRefusals();
}
