package org.cabrank.socket;

/**
 * What a datagram socket has done since it was bound.
 *
 * @param received datagrams given to the handler
 * @param sent datagrams that the kernel has taken
 * @param unsent datagrams that it has not: no room, no route, not permitted, too large
 * @param reported errors of the network for earlier datagrams, told by the kernel instead of a datagram
 * @param failed datagrams whose handler threw
 */
public record DatagramCounters(long received, long sent, long unsent, long reported, long failed) {}
