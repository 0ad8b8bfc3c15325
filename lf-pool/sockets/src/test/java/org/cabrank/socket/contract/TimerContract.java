package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.TimerSource;
import org.cabrank.socket.source.TimerSourceHandler;
import org.junit.jupiter.api.Test;

/** Timers of the kernel: once and by period, by delay and by wall clock. */
public abstract class TimerContract extends SourceContract {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final AtomicLong expired = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();
    private final CompletableFuture<Throwable> closed = new CompletableFuture<>();

    private TimerSource timer() throws Exception {
        TimerSource source = TimerSource.open(set, new TimerSourceHandler() {
            @Override
            public void handleExpired(TimerSource own, long times) throws Exception {
                calls.incrementAndGet();
                if (expired.addAndGet(times) >= 10) {
                    own.stop();
                }
            }

            @Override
            public void handleClosed(TimerSource own, Throwable cause) {
                closed.complete(cause);
            }
        });
        serve();
        return source;
    }

    private void close(TimerSource source) throws Exception {
        source.close();
        assertNull(closed.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aTimerExpiresOnceAfterItsDelay() throws Exception {
        TimerSource source = timer();
        source.after(SHORT, Duration.ZERO);
        Await.until("it has expired", () -> expired.get() == 1);
        source.after(SHORT, Duration.ZERO);
        Await.until("it has expired again", () -> expired.get() == 2);
        assertEquals(2, calls.get());
        close(source);
    }

    @Test
    void aTimerWithAPeriodExpiresUntilItIsStopped() throws Exception {
        TimerSource source = timer();
        source.after(SHORT, SHORT);
        Await.until("it has expired ten times", () -> expired.get() >= 10);
        assertTrue(calls.get() <= expired.get());
        close(source);
    }

    @Test
    void aTimeOfTheWallClockThatIsPastExpiresAtOnce() throws Exception {
        TimerSource source = timer();
        source.at(Instant.now().plusMillis(1), Duration.ZERO);
        Await.until("it has expired", () -> expired.get() == 1);
        source.at(Instant.now().minusSeconds(60), Duration.ZERO);
        Await.until("it has expired again", () -> expired.get() == 2);
        close(source);
    }

    @Test
    void aClosedTimerCannotBeSet() throws Exception {
        TimerSource source = timer();
        source.after(Duration.ofDays(1), Duration.ZERO);
        close(source);
        assertThrows(IOException.class, () -> source.after(SHORT, SHORT));
        assertThrows(IllegalArgumentException.class, () -> source.after(Duration.ZERO, SHORT));
        assertThrows(IllegalArgumentException.class, () -> source.after(SHORT, Duration.ofNanos(-1)));
        assertThrows(IllegalArgumentException.class, () -> source.at(Instant.EPOCH, SHORT));
    }
}
