package org.cabrank.stream;

import java.util.function.ToLongFunction;
import org.cabrank.stream.transport.StreamCount;

/**
 * Connections that the reactor has closed because of a limit, since the start. A connection of TLS that exceeds its unread bytes or finds no
 * memory for them is not among them: TLS closes it by itself.
 *
 * @param idle connections that were idle for {@link StreamTimeouts#idle}
 * @param deadline connections whose {@link Connection#deadline} has passed
 * @param closing connections that were reset because their close took longer than {@link StreamTimeouts#close} or {@link
 *     StreamTimeouts#closeTotal}
 * @param unread connections whose handler has left {@link StreamLimits#unreadLimit} bytes unread
 * @param memory connections for whose bytes there was no memory: {@link ShardMemoryException}
 * @param connecting connects that have failed because they took longer than {@link StreamTimeouts#connect}
 */
public record ClosedAtLimits(long idle, long deadline, long closing, long unread, long memory, long connecting) {
    public static ClosedAtLimits of(ToLongFunction<StreamCount> sum) {
        return new ClosedAtLimits(
                sum.applyAsLong(StreamCount.IDLE),
                sum.applyAsLong(StreamCount.DEADLINE_PASSED),
                sum.applyAsLong(StreamCount.CLOSING_GIVEN_UP),
                sum.applyAsLong(StreamCount.UNREAD_LIMIT),
                sum.applyAsLong(StreamCount.NO_MEMORY),
                sum.applyAsLong(StreamCount.CONNECT_TIMED_OUT));
    }
}
