package org.cabrank.lf.observe;

import java.time.Duration;
import java.util.function.Consumer;
import org.cabrank.lf.leadership.Parking;

/** Watchdogs by a test's clock. */
public final class TestWatchdog {
    private TestWatchdog() {}

    public static Watchdog start(
            Duration limit,
            Consumer<? super BlockedHandler> consumer,
            Consumer<? super Liveness.Problem> problems,
            Parking clock) {
        return new Watchdog(limit, consumer, problems, clock);
    }

    public static Thread thread(Watchdog watchdog) {
        return watchdog.thread();
    }
}
