package org.cabrank.bench.resp;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deadlines of a store, in order, and the timer that removes what has expired. The timer begins with the first deadline; its thread is a
 * daemon. Any thread.
 */
final class ExpiryQueue implements AutoCloseable {
    private static final int PERIOD_MS = 100;

    /** Named bound: keys that one run of the timer removes. */
    private static final int REMOVED_MAX = 100_000;

    private static final System.Logger LOGGER = System.getLogger(ExpiryQueue.class.getName());

    private final ConcurrentSkipListMap<StoredValue.Deadline, Boolean> deadlines = new ConcurrentSkipListMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong size = new AtomicLong();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final boolean timed;
    private volatile ScheduledExecutorService timer;
    private KeyValueStore store;

    ExpiryQueue() {
        this(true);
    }

    /** @param timed false: keys are removed when {@link KeyValueStore#removeExpired} is called, and when they are read */
    ExpiryQueue(boolean timed) {
        this.timed = timed;
    }

    /** Called once, by the store. */
    void serve(KeyValueStore served) {
        store = served;
    }

    StoredValue.Deadline deadline(long ns, ByteKey key) {
        return new StoredValue.Deadline(ns, numbers.incrementAndGet(), key.copy());
    }

    void add(StoredValue.Deadline deadline) {
        if (deadlines.put(deadline, true) == null) {
            size.incrementAndGet();
        }
        if (timed && !begun.get() && begun.compareAndSet(false, true)) {
            begin();
        }
    }

    void remove(StoredValue.Deadline deadline) {
        if (deadlines.remove(deadline) != null) {
            size.decrementAndGet();
        }
    }

    StoredValue.Deadline first() {
        Map.Entry<StoredValue.Deadline, Boolean> first = deadlines.firstEntry();
        return first == null ? null : first.getKey();
    }

    int size() {
        return (int) size.get();
    }

    private void begin() {
        ScheduledExecutorService begins = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "store-expiry");
            thread.setDaemon(true);
            return thread;
        });
        timer = begins;
        begins.scheduleWithFixedDelay(this::removeExpired, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    private void removeExpired() {
        try {
            store.removeExpired(REMOVED_MAX);
        } catch (RuntimeException wrong) { // a task that throws runs no more
            LOGGER.log(
                    System.Logger.Level.WARNING, "expired keys were not removed; they are when they are read", wrong);
        }
    }

    /** Ends the timer. */
    @Override
    public void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
