package org.cabrank.bench.datagram;

/**
 * Counters of a fan-out since its start.
 *
 * @param received number of datagrams that the sockets have received
 * @param foreign number of those that were sent to none of the groups, and not passed on
 * @param kernelDropped number of datagrams that the kernel has dropped for lack of room in the receive buffers
 * @param sent number of frames given to connections, of all subscribers together
 * @param dropped number of frames that full queues have dropped, of all subscribers together
 * @param disconnected number of subscribers that were reset for a full queue
 * @param subscribers number of subscribers at present
 * @param largestQueueBytes most bytes that have waited for one subscriber at a time
 * @param ageP50Ns median of the age of datagrams at their dispatch, from the kernel's receive time, in ns
 * @param ageP99Ns 99th percentile of the age
 */
public record FanOutCounters(
        long received,
        long foreign,
        long kernelDropped,
        long sent,
        long dropped,
        long disconnected,
        int subscribers,
        long largestQueueBytes,
        long ageP50Ns,
        long ageP99Ns) {}
