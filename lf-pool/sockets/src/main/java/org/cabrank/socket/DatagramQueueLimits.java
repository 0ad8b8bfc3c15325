package org.cabrank.socket;

import java.time.Duration;
import java.util.Objects;

/**
 * Limits of the queue of datagrams that wait for room in a socket ({@link DatagramOptions#queue}). Immutable.
 *
 * @param datagramsMax maximum number of datagrams that wait, from 1 to 1,048,576
 * @param bytesMax size of the queue's direct memory, from 1 KiB to 1 GiB, allocated when the first datagram waits. A datagram takes 48
 *     bytes plus its own bytes, rounded up to a multiple of 8. An answer from a wildcard address takes up to 40 bytes more
 * @param closeTimeout time, up to 1 hour, for which a {@linkplain UdpSocket#close closed} socket continues to send the waiting datagrams,
 *     and to receive. With {@link Duration#ZERO} the waiting datagrams are dropped and counted
 */
public record DatagramQueueLimits(int datagramsMax, int bytesMax, Duration closeTimeout) {
    private static final int DATAGRAMS_MAX = 1 << 20;
    private static final int BYTES_MIN = 1_024;
    private static final int BYTES_MAX = 1 << 30;
    private static final Duration CLOSE_TIMEOUT_MAX = Duration.ofHours(1);

    public DatagramQueueLimits {
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        if (datagramsMax < 1 || datagramsMax > DATAGRAMS_MAX) {
            throw new IllegalArgumentException(
                    "datagramsMax must be from 1 to " + DATAGRAMS_MAX + ", but is " + datagramsMax);
        }
        if (bytesMax < BYTES_MIN || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "bytesMax must be from " + BYTES_MIN + " to " + BYTES_MAX + ", but is " + bytesMax);
        }
        if (closeTimeout.isNegative() || closeTimeout.compareTo(CLOSE_TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "closeTimeout must be from zero to " + CLOSE_TIMEOUT_MAX + ", but is " + closeTimeout);
        }
    }

    /** Limits for a socket whose close drops the waiting datagrams. */
    public DatagramQueueLimits(int datagramsMax, int bytesMax) {
        this(datagramsMax, bytesMax, Duration.ZERO);
    }
}
