package org.cabrank.lf.stream;

import java.time.Duration;

/**
 * How long a connection may stand still; each from 1 ms to 1 year, or {@link #NEVER}.
 *
 * @param idle without a byte in either direction, then the connection is closed with an {@link IdleTimeoutException}
 * @param close without progress after {@link Connection#close}, while the queue is sent and the peer's end is awaited, then
 *     the connection is reset
 * @param connect until a connection that is being made must stand
 */
public record StreamTimeouts(Duration idle, Duration close, Duration connect) {
    /** No bound. */
    public static final Duration NEVER = Duration.ZERO;

    private static final Duration MIN = Duration.ofMillis(1);
    private static final Duration MAX = Duration.ofDays(366);

    /** No idle time-out, 5 s to close, 10 s to connect. */
    public static final StreamTimeouts DEFAULT =
            new StreamTimeouts(NEVER, Duration.ofSeconds(5), Duration.ofSeconds(10));

    public StreamTimeouts {
        require(idle, "idle");
        require(close, "close");
        require(connect, "connect");
    }

    private static void require(Duration duration, String name) {
        boolean inRange = duration.compareTo(MIN) >= 0 && duration.compareTo(MAX) <= 0;
        if (!inRange && !duration.equals(NEVER)) {
            throw new IllegalArgumentException(
                    "the " + name + " time-out must be from 1ms to a year, or 0 for never, but is " + duration);
        }
    }

    public StreamTimeouts withIdle(Duration changed) {
        return new StreamTimeouts(changed, close, connect);
    }

    public StreamTimeouts withClose(Duration changed) {
        return new StreamTimeouts(idle, changed, connect);
    }

    public StreamTimeouts withConnect(Duration changed) {
        return new StreamTimeouts(idle, close, changed);
    }
}
