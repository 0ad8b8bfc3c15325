package org.cabrank.stream.transport;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Number and limit of the bytes of one kind, outbound or unread, that the connections of all shards of a reactor hold. Each shard counts
 * its bytes, and adds them to the common count in steps of limit / 16 / shards. So the common count may be wrong by a sixteenth of the
 * limit, and threads of different shards rarely write it at the same time. Any thread may use it.
 *
 * <p>The last quarter of the limit is only for connections that hold at most {@link #SMALL_BYTES}. Each other connection may hold a quarter
 * of the free part of the rest. So the connections that hold the most are refused first.
 */
final class SharedBytes {
    private static final int ERROR_PART = 16;

    private static final int PART_FOR_SMALL = 4;

    private static final int SHARE_OF_FREE = 4;

    private static final int SMALL_BYTES = 16 << 10;

    /** A write of at most 1 / {@code EVER_PART} of the limit has room when other connections hold less than a quarter of the limit. */
    private static final int EVER_PART = 8;

    private final long max;
    private final long stepBytes;
    private final AtomicLong total = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    /** Connections that wait for room, in order, and the number of bytes that each would then hold. Guarded by the map. */
    private final Map<Waiter, Long> waiting = new LinkedHashMap<>();

    private volatile int waitingCount;

    interface Waiter {
        /**
         * Called by any thread when there is room. Another connection may take it first. When the room is used or given up, the waiter
         * calls {@link SharedBytes#callWaiters}.
         */
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

    long shareBytes() {
        return freeForLarge() / SHARE_OF_FREE;
    }

    boolean mayHold(long bytes) {
        return bytes <= (bytes > ChunkPool.SMALL_BYTES ? shareBytes() : (max - total.get()) / SHARE_OF_FREE);
    }

    /** Returns true if a connection may add {@code more} outbound bytes. {@code held} is the total of its bytes, including these. */
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
     * Returns true if a connection may hold {@code held} bytes. If not, returns false, and later calls {@code waiter} once. A
     * thread that frees bytes changes the count before it checks for waiters, so that no waiter is missed.
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

    /** Calls the waiters for which there is room now. Called when bytes were freed, or a waiter has used its room or given it up. */
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

        private final AtomicLong uncounted = new AtomicLong();

        Part(SharedBytes whole) {
            this.whole = whole;
        }

        SharedBytes whole() {
            return whole;
        }

        /** Adds {@code bytes}, which may be negative. Bytes that were added to one part may be subtracted from another part. */
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
