package org.cabrank.stream;

import java.time.Duration;
import java.util.Objects;
import org.cabrank.lf.Timers;

/**
 * Time limits of a connection. Each limit is from {@link #MIN} to {@link #MAX}, or {@link #NEVER}.
 *
 * @param idle time without a byte in either direction until the connection is closed with an {@link IdleTimeoutException}. It does not run
 *     during offloaded work, or while the peer takes bytes of the socket's buffer
 * @param close time without progress after {@link Connection#close} until the connection is reset. There is progress if the socket takes
 *     bytes of the queue or the peer takes bytes of the socket's buffer. A stalled peer may be reset a quarter of the time-out late
 * @param closeTotal time after {@link Connection#close} until the connection is reset even if it makes progress
 * @param connect time in which a new connection must be established
 */
public record StreamTimeouts(Duration idle, Duration close, Duration closeTotal, Duration connect) {
    public static final Duration NEVER = Duration.ZERO;

    public static final Duration MIN = Duration.ofMillis(1);

    public static final Duration MAX = Duration.ofDays(366);

    /** No idle time-out. A close may take 5 s without progress, and 1 min in total. A connect may take 10 s. */
    public static final StreamTimeouts DEFAULT =
            new StreamTimeouts(NEVER, Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofSeconds(10));

    public StreamTimeouts {
        require(idle, "idle");
        require(close, "close");
        require(closeTotal, "closeTotal");
        require(connect, "connect");
    }

    /** Makes time limits with the {@link #closeTotal} of {@link #DEFAULT}. */
    public StreamTimeouts(Duration idle, Duration close, Duration connect) {
        this(idle, close, DEFAULT.closeTotal, connect);
    }

    /** Returns a limit in ns; 0 for {@link #NEVER}. Throws {@link IllegalArgumentException} with {@code name} if it is out of range. */
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
