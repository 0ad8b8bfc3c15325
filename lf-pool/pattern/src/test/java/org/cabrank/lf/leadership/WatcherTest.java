package org.cabrank.lf.leadership;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that looks. */
@Timeout(300)
class WatcherTest {
    private final Watcher watcher = new Watcher("test", Parking.SYSTEM);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    @AfterEach
    void close() {
        over.set(true);
        watcher.wake();
        Await.until("the watcher has ended", () -> watcher.thread() == null);
    }

    /** A pool that rests after each look. */
    private class Pool implements Watcher.Watched {
        private final Runnable duringLook;

        Pool(Runnable duringLook) {
            this.duringLook = duringLook;
        }

        @Override
        public long check(long nowNs) {
            duringLook.run();
            looks.incrementAndGet();
            return Deadlines.FOREVER;
        }

        @Override
        public boolean isOver() {
            return over.get();
        }

        @Override
        public void failed(Throwable cause) {
            failure.complete(cause);
        }
    }

    private void awaitLooks(int count) {
        Await.until(count + " looks", () -> looks.get() >= count);
    }

    /** As a lock does that another thread holds. */
    @Test
    void wakeUpDuringALookThatParksIsNotLost() {
        Semaphore parks = new Semaphore(0);
        watcher.watch(new Pool(() -> {
            if (looks.get() == 1) {
                parks.release();
                LockSupport.park();
            }
        }));
        awaitLooks(1);
        watcher.wake();
        parks.acquireUninterruptibly();
        watcher.wake();
        awaitLooks(3);
    }

    @Test
    void wakeUpByTheWatcherItselfIsNotLost() {
        watcher.watch(new Pool(() -> {
            if (looks.get() == 1) {
                watcher.wake();
            }
        }));
        awaitLooks(1);
        watcher.wake();
        awaitLooks(3);
    }

    @Test
    void errorOfALookEndsThePools() throws Exception {
        watcher.watch(new Pool(() -> {
            throw new OutOfMemoryError("thrown on purpose");
        }));
        assertInstanceOf(OutOfMemoryError.class, failure.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        watcher.watch(new Pool(() -> {}));
        awaitLooks(1);
    }
}
