package org.cabrank.systemd;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cabrank.lf.observe.Liveness;

/** Feeds systemd's watchdog while every shard is served. Stops if a problem lasts for half of the watchdog's interval. Not thread-safe. */
final class WatchdogFeed {
    private static final System.Logger LOGGER = System.getLogger(WatchdogFeed.class.getName());

    /** Number of checks in an interval. The interval has two feeds even if a check is late by half of the interval. */
    private static final int LOOKS = 4;

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final ServiceNotifier notifier;
    private final Function<Duration, Liveness> probe;
    private final Duration limit;
    private final Duration period;
    private final Supplier<String> status;
    private boolean withheld;

    /** @param status returns the status line to show after a problem has ended */
    WatchdogFeed(
            ServiceNotifier notifier, Duration interval, Function<Duration, Liveness> probe, Supplier<String> status) {
        this.notifier = notifier;
        this.probe = probe;
        this.status = status;
        limit = interval.dividedBy(2);
        period = max(interval.dividedBy(LOOKS), SHORTEST);
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    Duration period() {
        return period;
    }

    /** Returns true if systemd has taken the feed. */
    boolean check() {
        Liveness found = probe.apply(limit);
        if (found.isLive()) {
            if (withheld) {
                withheld = false;
                notifier.showStatus(status.get());
            }
            return notifier.alive();
        }
        if (!withheld) {
            withheld = true;
            LOGGER.log(Level.ERROR, "systemd's watchdog is not fed: " + found);
            notifier.showStatus("not served: " + found);
        }
        return false;
    }
}
