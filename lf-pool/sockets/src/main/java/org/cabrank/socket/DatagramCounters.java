package org.cabrank.socket;

/**
 * Counters of a datagram socket since it was bound.
 *
 * @param received number of datagrams passed to the handler
 * @param sent number of datagrams that the kernel has accepted
 * @param unsent number of datagrams that the kernel has refused: no buffer space, no route, not permitted, too large
 * @param reported number of network errors about datagrams sent earlier, which the kernel returned instead of a datagram
 * @param failed number of datagrams whose handler threw
 */
public record DatagramCounters(long received, long sent, long unsent, long reported, long failed) {}
