package org.cabrank.systemd;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cabrank.lf.Timers;
import org.cabrank.lf.observe.Liveness;

/** Supervision of a service by systemd. A daemon thread feeds the watchdog until {@link #close}. Safe for use by any thread. */
public final class Supervision implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Supervision.class.getName());

    private final ServiceNotifier notifier;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String status;

    private Supervision(ServiceNotifier notifier, String status) {
        this.notifier = notifier;
        this.status = status;
    }

    static Supervision begin(
            ServiceNotifier notifier, Duration watchdogInterval, Function<Duration, Liveness> probe, String status) {
        Supervision supervision = new Supervision(notifier, Objects.requireNonNull(status, "status"));
        notifier.ready(status);
        if (notifier.isAsked() && !watchdogInterval.isZero()) {
            WatchdogFeed feed = new WatchdogFeed(notifier, watchdogInterval, probe, () -> supervision.status);
            Thread thread = new Thread(() -> supervision.feed(feed), "systemd-watchdog");
            thread.setDaemon(true);
            thread.start();
        }
        return supervision;
    }

    private void feed(WatchdogFeed feed) {
        try {
            do {
                check(feed);
            } while (!closed.await(Timers.delayNs(feed.period()), TimeUnit.NANOSECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void check(WatchdogFeed feed) {
        try {
            feed.check();
        } catch (Throwable failed) { // the next check may succeed; if all checks fail, systemd restarts the service
            LOGGER.log(Level.ERROR, "the probe for systemd's watchdog failed", failed);
        }
    }

    /**
     * Reloads the service's configuration, for example its certificates. Notifies systemd before and after.
     *
     * @param reload reloads and returns the new status line. If it throws, the status shows the failure. The exception is rethrown.
     */
    public void reload(Callable<String> reload) throws Exception {
        notifier.reloading();
        try {
            status = Objects.requireNonNull(reload.call(), "status");
            notifier.ready(status);
        } catch (Throwable failed) { // even an error, because systemd waits for the end of the reload
            notifier.ready("reload failed, the former configuration stays: " + failed.getMessage());
            throw failed;
        }
    }

    /** Stops feeding the watchdog. Call this after the reactor has ended. */
    @Override
    public void close() {
        closed.countDown();
    }
}
