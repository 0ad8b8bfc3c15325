package org.cabrank.stream;

import java.time.Duration;
import java.util.Objects;
import org.cabrank.lf.Timers;

/**
 * Time limits of a connection; each from {@link #MIN} to {@link #MAX}, or {@link #NEVER}.
 *
 * @param idle without a byte in either direction, then the connection is closed with an {@link IdleTimeoutException}. The time
 *     does not run while offloaded work ({@link Connection#offload}) is under way. A peer that has not taken all of the socket's
 *     buffer at the end of the time-out, and has taken some of it in the meantime, has another time-out
 * @param close without progress after {@link Connection#close}, while what was written is sent and the peer's end is awaited, then
 *     the connection is reset. Progress is what the socket takes of the queue, and what the peer takes of the socket's buffer, which
 *     is looked at four times in the time-out: a peer that stands still is reset up to a quarter of the time-out later
 * @param closeTotal from {@link Connection#close} to the end, whatever the progress, then the connection is reset: for a peer
 *     that takes a few bytes at a time
 * @param connect until a connection that is being made must be established
 */
public record StreamTimeouts(Duration idle, Duration close, Duration closeTotal, Duration connect) {
    /** No bound. */
    public static final Duration NEVER = Duration.ZERO;

    /** 1 ms. */
    public static final Duration MIN = Duration.ofMillis(1);

    /** 366 days. */
    public static final Duration MAX = Duration.ofDays(366);

    /** No idle time-out, 5 s without progress and 1 min in all to close, 10 s to connect. */
    public static final StreamTimeouts DEFAULT =
            new StreamTimeouts(NEVER, Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofSeconds(10));

    public StreamTimeouts {
        require(idle, "idle");
        require(close, "close");
        require(closeTotal, "closeTotal");
        require(connect, "connect");
    }

    /** Takes the {@link #closeTotal} of {@link #DEFAULT}. */
    public StreamTimeouts(Duration idle, Duration close, Duration connect) {
        this(idle, close, DEFAULT.closeTotal, connect);
    }

    /**
     * A time limit in ns; 0: never.
     *
     * @param name for the message
     * @throws IllegalArgumentException when it is neither {@link #NEVER} nor from {@link #MIN} to {@link #MAX}
     */
    public static long nanos(Duration limit, String name) {
        Objects.requireNonNull(name, "name");
        require(limit, name);
        return Timers.delayNs(limit);
    }

    private static void require(Duration duration, String name) {
        Objects.requireNonNull(duration, name);
        boolean inRange = duration.compareTo(MIN) >= 0 && duration.compareTo(MAX) <= 0;
        if (!inRange && !duration.equals(NEVER)) {
            throw new IllegalArgumentException(
                    "the " + name + " time-out must be from 1ms to a year, or 0 for never, but is " + duration);
        }
    }

    public StreamTimeouts withIdle(Duration changed) {
        return new StreamTimeouts(changed, close, closeTotal, connect);
    }

    public StreamTimeouts withClose(Duration changed) {
        return new StreamTimeouts(idle, changed, closeTotal, connect);
    }

    public StreamTimeouts withCloseTotal(Duration changed) {
        return new StreamTimeouts(idle, close, changed, connect);
    }

    public StreamTimeouts withConnect(Duration changed) {
        return new StreamTimeouts(idle, close, closeTotal, changed);
    }
}
