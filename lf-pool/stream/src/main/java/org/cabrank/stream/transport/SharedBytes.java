package org.cabrank.stream.transport;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of one kind, outbound or unread, that the connections of all shards of a reactor hold, and their limit. Any thread. Each shard
 * counts for itself, and adds to the common count in steps of limit / 16 / shards. So the common count differs from the sum by at most a
 * sixteenth of the limit, and threads of different shards rarely write it together.
 *
 * <p>A connection may hold a quarter of the free part of 3/4 of the limit, so the largest holders are refused first, and few connections
 * whose peers do not read leave room for others. The last quarter is for connections that hold {@link #SMALL_BYTES} at most.
 */
final class SharedBytes {
    private static final int ERROR_PART = 16;

    private static final int PART_FOR_SMALL = 4;

    private static final int SHARE_OF_FREE = 4;

    private static final int SMALL_BYTES = 16 << 10;

    /** Divisor: 1 / this of the limit has room if other connections hold less than a quarter of the limit. */
    private static final int EVER_PART = 8;

    private final long max;
    private final long stepBytes;
    private final AtomicLong total = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    /** Connections that wait for room, in order, each with the bytes that it would hold. Guarded by itself. */
    private final Map<Waiter, Long> waiting = new LinkedHashMap<>();

    private volatile int waitingCount;

    interface Waiter {
        /** Any thread. Called when there is room, though another connection may take it first. {@link SharedBytes#callWaiters} follows. */
        void roomAgain();
    }

    SharedBytes(long max, int shards) {
        this.max = max;
        this.stepBytes = Math.max(1, max / ERROR_PART / shards);
    }

    long max() {
        return max;
    }

    long bytes() {
        return Math.max(0, total.get());
    }

    long refusedCount() {
        return refused.sum();
    }

    void noteRefused() {
        refused.increment();
    }

    String describe() {
        return bytes() + " of " + max + " bytes";
    }

    private long freeForLarge() {
        return max - max / PART_FOR_SMALL - total.get();
    }

    boolean isScarce() {
        return total.get() > max / 2;
    }

    /** Returns the bytes that one connection may hold now if it holds more than {@link #SMALL_BYTES}. */
    long shareBytes() {
        return freeForLarge() / SHARE_OF_FREE;
    }

    /** Returns true if a connection may hold {@code bytes} unread bytes. */
    boolean mayHold(long bytes) {
        return bytes <= (bytes > ChunkPool.SMALL_BYTES ? shareBytes() : (max - total.get()) / SHARE_OF_FREE);
    }

    /** Returns true if there is room for {@code more} outbound bytes of a connection that then holds {@code held} in all. */
    boolean hasRoom(long held, long more) {
        return hasRoom(held, more, 0);
    }

    private boolean hasRoom(long held, long more, long taken) {
        return held > SMALL_BYTES
                ? held <= (freeForLarge() - taken) / SHARE_OF_FREE
                : more <= max - total.get() - taken;
    }

    boolean everHasRoom(long bytes) {
        return bytes <= max / EVER_PART;
    }

    /**
     * Returns true if a connection may hold {@code held} bytes; else calls {@code waiter} once when it may. A thread that frees bytes first
     * changes the count and then checks for waiters.
     */
    boolean hasRoomOrAwait(Waiter waiter, long held) {
        if (!hasRoom(held, held)) {
            await(waiter, held);
            if (!hasRoom(held, held)) {
                return false;
            }
        }
        if (waitingCount != 0) {
            remove(waiter);
        }
        return true;
    }

    private void await(Waiter waiter, long held) {
        synchronized (waiting) {
            waiting.put(waiter, held);
            waitingCount = waiting.size();
        }
    }

    private boolean remove(Waiter waiter) {
        synchronized (waiting) {
            boolean removed = waiting.remove(waiter) != null;
            waitingCount = waiting.size();
            return removed;
        }
    }

    void forget(Waiter waiter) {
        remove(waiter);
        callWaiters();
    }

    int waitingCount() {
        return waitingCount;
    }

    /** Calls the waiters that have room now. Called after bytes were freed, and after a waiter has used its room or given it up. */
    void callWaiters() {
        if (waitingCount == 0) {
            return;
        }
        List<Waiter> called = new ArrayList<>();
        synchronized (waiting) {
            long taken = 0;
            for (Iterator<Map.Entry<Waiter, Long>> each = waiting.entrySet().iterator(); each.hasNext(); ) {
                Map.Entry<Waiter, Long> entry = each.next();
                long held = entry.getValue();
                if (hasRoom(held, held, taken)) {
                    taken += held;
                    called.add(entry.getKey());
                    each.remove();
                }
            }
            waitingCount = waiting.size();
        }
        called.forEach(Waiter::roomAgain);
    }

    private void add(long bytes) {
        total.addAndGet(bytes);
        if (bytes < 0) {
            callWaiters();
        }
    }

    static final class Part {
        private final SharedBytes whole;

        /** Bytes that are not in the common count yet. */
        private final AtomicLong uncounted = new AtomicLong();

        Part(SharedBytes whole) {
            this.whole = whole;
        }

        SharedBytes whole() {
            return whole;
        }

        /** Adds to the count; a negative number subtracts. A byte added to one part may be subtracted from another. */
        void add(long bytes) {
            long now = uncounted.addAndGet(bytes);
            if (now >= whole.stepBytes || now <= -whole.stepBytes) {
                long counted = uncounted.getAndSet(0);
                if (counted != 0) {
                    whole.add(counted);
                }
            }
        }
    }
}
