package org.cabrank.socket;

/**
 * State of the queue of datagrams that wait for room in a socket ({@link DatagramOptions#queue}). Immutable.
 *
 * @param waiting number of datagrams that wait now
 * @param queued number of datagrams that have waited or wait now
 * @param refused number of datagrams that were dropped because the queue was full, or the socket was being closed
 * @param dropped number of waiting datagrams that were dropped when the socket was closed
 */
public record DatagramQueueState(int waiting, long queued, long refused, long dropped) {
    static final DatagramQueueState NONE = new DatagramQueueState(0, 0, 0, 0);
}
