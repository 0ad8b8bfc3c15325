package org.cabrank.bench.live;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.stream.StreamReactor;

/** Prints a line about a server's work on standard error in each interval. */
public final class LiveView implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(LiveView.class.getName());
    private static final long JOIN_MS = 2_000;

    private final StreamReactor reactor;
    private final RequestCounter requests;
    private final long intervalNs;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "cabrank-live");

    private LiveView(StreamReactor reactor, RequestCounter requests, Duration interval) {
        this.reactor = reactor;
        this.requests = requests;
        this.intervalNs = interval.toNanos();
    }

    public static LiveView start(StreamReactor reactor, RequestCounter requests, Duration interval) {
        LiveView view = new LiveView(reactor, requests, interval);
        view.thread.setDaemon(true);
        view.thread.start();
        return view;
    }

    private void run() {
        try {
            LiveLine line = new LiveLine(Reading.of(reactor, requests));
            long dueNs = System.nanoTime() + intervalNs;
            while (!closed.await(Math.max(0, dueNs - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                System.err.println(line.next(Reading.of(reactor, requests)));
                dueNs = Math.max(
                        dueNs + intervalNs,
                        System.nanoTime()); // after the process was stopped, skipped intervals are not repeated
            }
        } catch (RuntimeException failed) {
            LOGGER.log(System.Logger.Level.WARNING, "the live view has ended, the server continues", failed);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt(); // no other code uses this thread, which ends now
        }
    }

    /** Any thread may call this method. A second call has no effect. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(JOIN_MS); // lets the view print its last line before the caller's lines
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
