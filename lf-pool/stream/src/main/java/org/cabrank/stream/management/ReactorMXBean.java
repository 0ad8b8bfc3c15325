package org.cabrank.stream.management;

/**
 * A reactor as JMX shows it: {@code org.cabrank:type=Reactor,name=...}. Like the beans of its pools and shards, this bean stays
 * after a failure, until the reactor is closed.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ReactorMXBean {
    /** The backend, with what the kernel offers it. */
    String getBackend();

    /** The failure that ended the reactor; null: the reactor has not failed. */
    String getFailure();

    /** The shard that has failed, from 0; -1: none has, or it is not known which of those that share a pool. */
    int getFailedShard();

    /** Addresses of the listeners that are not closed: {@code HOST:PORT}, or the path or name of a Unix socket. */
    String[] getListeners();

    /** Addresses of those that the service has paused ({@link org.cabrank.stream.Listener#pause}). */
    String[] getPausedListeners();

    /** Connections that stand now; the limits and the use of the reactor: see {@link org.cabrank.stream.ReactorUse}. */
    long getConnections();

    /** 0: no limit; likewise for the other limits. */
    int getConnectionsLimit();

    /** Connections that were refused because of a limit of their number. */
    long getOverLimit();

    /** Bytes of chunks that hold queued bytes. */
    long getOutboundBytes();

    long getOutboundLimitBytes();

    /** Writes that were refused because of that limit. */
    long getOutboundRefusals();

    /** Bytes of chunks that hold unread bytes. */
    long getUnreadBytes();

    long getUnreadLimitBytes();

    /** Requests for memory of unread bytes that were refused because of that limit. */
    long getUnreadRefusals();
}
