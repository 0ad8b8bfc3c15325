package org.cabrank.bench.load.datagram;

import java.util.Map;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.GeneratorEffort;

/**
 * Result of a run. A datagram counts if it was sent in the measured interval, wherever its answer comes.
 *
 * @param sent number of datagrams that the kernel has accepted
 * @param received number of those that were answered, each counted once
 * @param lost {@code sent - received}; 0 of a load without answers
 * @param reordered number of first answers behind an answer to a later datagram of the same flow (RFC 4737)
 * @param duplicated number of answers to a datagram that had been answered
 * @param wrong number of datagrams received in the whole run with another length or content than any that was sent
 * @param late number of answers after the loss timeout; a first answer is in {@code received} as well, unless so many datagrams were
 *     sent after it that the generator has forgotten it ({@link DatagramLoad#MEMORY_MIN})
 * @param answersInTime number of answers that came within the measured interval
 * @param elapsedNs length of the measured interval
 * @param latencies latencies in ns of the first answers, from the time at which a datagram was due; with a window, from its send
 * @param drops number of answers that the generator's own sockets have dropped in the whole run, for lack of room: losses that are not
 *     the server's
 * @param errors number of errors of each kind in the whole run, such as ECONNREFUSED of a port where nothing listens
 * @param effort resources that the generator used in the measured interval
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

    /** Lost part of the sent datagrams, 0 to 1. */
    public double lossRatio() {
        return sent == 0 ? 0 : (double) lost / sent;
    }
}
