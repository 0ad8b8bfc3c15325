package org.cabrank.bench.load.datagram;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.GeneratorEffort;

/**
 * Result of a run. Counts the datagrams that were sent in the measured interval, even if their answers arrived later.
 *
 * @param sent number of datagrams that the kernel has accepted
 * @param received number of answered datagrams
 * @param lost {@code sent - received}; 0 for a load without answers
 * @param reordered number of first answers that arrived after an answer to a later datagram of the same flow (RFC 4737)
 * @param duplicated number of answers to datagrams that had already been answered
 * @param wrong number of received datagrams in the whole run with a length or content that was never sent
 * @param late number of answers that arrived after the loss timeout. The first answer to a datagram counts in {@code received} as well, if
 *     the generator still remembers the datagram ({@link DatagramLoad#MEMORY_MIN}).
 * @param answersInTime number of answers that arrived within the measured interval
 * @param latencies latencies in ns of the first answers. Each counts from the due time of its datagram, or with a window from its send.
 * @param drops number of answers in the whole run that the generator's sockets dropped because their buffers were full
 * @param errors number of errors of each kind in the whole run, such as ECONNREFUSED of a port where nothing listens
 */
public record DatagramResult(
        long sent,
        long received,
        long lost,
        long reordered,
        long duplicated,
        long wrong,
        long late,
        long answersInTime,
        long elapsedNs,
        Histogram latencies,
        long drops,
        Map<String, Long> errors,
        GeneratorEffort effort) {

    public double answersPerSecond() {
        return perSecond(answersInTime);
    }

    public double sentPerSecond() {
        return perSecond(sent);
    }

    private double perSecond(long count) {
        return elapsedNs == 0 ? 0 : count * 1e9 / elapsedNs;
    }

    public double lossRatio() {
        return sent == 0 ? 0 : (double) lost / sent;
    }
}
