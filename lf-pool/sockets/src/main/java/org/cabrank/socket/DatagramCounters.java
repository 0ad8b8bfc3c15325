package org.cabrank.socket;

/**
 * Counters of a datagram socket since it was bound.
 *
 * @param received number of datagrams passed to the handler
 * @param sent number of datagrams that the kernel has accepted
 * @param unsent number of datagrams that the kernel, the queue or the closed socket has refused
 * @param reported number of network errors about datagrams that were sent earlier
 * @param failed number of datagrams whose handler has thrown an exception
 * @param truncated number of received datagrams that were longer than {@link DatagramOptions#bytesMax}
 * @param dropped number of datagrams that the kernel has dropped, modulo 2<sup>32</sup>, because the receive buffer was full or the
 *     checksum was wrong. Before Linux 4.12 it is always 0. A larger {@code SO_RCVBUF} (up to net.core.rmem_max) or more threads may help
 */
public record DatagramCounters(
        long received, long sent, long unsent, long reported, long failed, long truncated, long dropped) {}
