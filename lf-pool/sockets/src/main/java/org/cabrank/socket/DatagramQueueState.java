package org.cabrank.socket;

/**
 * State of the queue of datagrams that wait for room in a socket. Immutable.
 *
 * @param waiting number of datagrams that wait now
 * @param queued number of datagrams that have waited, those that wait now included
 * @param refused number of datagrams that were dropped because the queue was full, or the socket was being closed
 * @param dropped number of datagrams that waited when the socket was closed, and were dropped
 */
public record DatagramQueueState(int waiting, long queued, long refused, long dropped) {
    static final DatagramQueueState NONE = new DatagramQueueState(0, 0, 0, 0);
}
