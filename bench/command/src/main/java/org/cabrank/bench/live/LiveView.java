package org.cabrank.bench.live;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.text.Durations;
import org.cabrank.stream.StreamReactor;

/**
 * Shows what a server does while it does it: a dashboard where standard output is a terminal, else a line for each interval on
 * standard error. A terminal that goes away ends the view and not the server.
 */
public final class LiveView implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(LiveView.class.getName());
    private static final long JOIN_MS = 2_000;

    private final Supplier<Reading> readings;
    private final long intervalNs;
    private final LiveDisplay display;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "cabrank-live");

    LiveView(Supplier<Reading> readings, Duration interval, LiveDisplay display) {
        this.readings = readings;
        this.intervalNs = interval.toNanos();
        this.display = display;
    }

    /**
     * Starts the view.
     *
     * @param title name and address of the server
     * @param about kind of the server
     * @param quit runs once, on a thread of its own, when the user presses q
     */
    public static LiveView start(
            StreamReactor reactor,
            RequestCounter requests,
            Duration interval,
            String title,
            String about,
            Runnable quit) {
        String footer = "q: end   every " + Durations.format(interval.toNanos());
        LiveView view = new LiveView(
                () -> Reading.of(reactor, requests), interval, display(new Dashboard(title, about, footer), quit));
        view.start();
        return view;
    }

    private static LiveDisplay display(Dashboard dashboard, Runnable quit) {
        Optional<Path> terminal = TerminalChoice.terminal();
        if (terminal.isEmpty()) {
            return new PlainDisplay();
        }
        try {
            return ScreenDisplay.open(terminal.get(), dashboard, TerminalChoice.palette(), quit);
        } catch (IOException refused) {
            LOGGER.log(System.Logger.Level.WARNING, "no dashboard, but lines: " + refused.getMessage());
            return new PlainDisplay();
        }
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            LiveModel model = new LiveModel(readings.get());
            display.show(model.atStart());
            long dueNs = System.nanoTime() + intervalNs;
            while (!closed.await(Math.max(0, dueNs - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                display.show(model.next(readings.get()));
                dueNs = Math.max(dueNs + intervalNs, System.nanoTime()); // after a stop of the process: no catching up
            }
        } catch (IOException | RuntimeException failed) {
            display.close();
            LOGGER.log(System.Logger.Level.WARNING, "the live view has ended, the server goes on", failed);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt(); // nobody else has this thread, which ends now
        }
    }

    /**
     * Ends the view. The terminal has been restored when this returns. May be called by any thread; a second call has no
     * effect.
     */
    @Override
    public void close() {
        closed.countDown();
        display.close();
        try {
            thread.join(JOIN_MS); // lets the view print its last lines before those of the caller
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** A line for each interval on standard error. */
    static final class PlainDisplay implements LiveDisplay {
        @Override
        public void show(LiveFigures figures) {
            if (!figures.history().isEmpty()) {
                System.err.println(PlainLine.of(figures));
            }
        }

        @Override
        public void close() {
            // a line is there to stay
        }
    }
}
