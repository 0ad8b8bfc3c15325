package org.cabrank.socket;

/**
 * Counters of a datagram socket since it was bound.
 *
 * @param received number of datagrams passed to the handler
 * @param sent number of datagrams that the kernel has accepted
 * @param unsent number of datagrams that the kernel has refused: no buffer space, no route, not permitted, too large
 * @param reported number of network errors about datagrams sent earlier, which the kernel returned instead of a datagram
 * @param failed number of datagrams whose handler has thrown an exception
 * @param truncated number of received datagrams whose end was cut off, because they were longer than {@link DatagramOptions#bytesMax}
 * @param dropped number of datagrams that the kernel has dropped for lack of room in the receive buffer or for a wrong checksum, modulo
 *     2<sup>32</sup>; 0 before Linux 4.12. Remedies: a larger {@code SO_RCVBUF} (up to net.core.rmem_max), more threads
 */
public record DatagramCounters(
        long received, long sent, long unsent, long reported, long failed, long truncated, long dropped) {}
