package org.cabrank.bench.resp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Keys and values in memory, with expiry and a limit. Any thread; each method is atomic for one key, and {@link #putAll} for all its
 * keys.
 *
 * <p>The memory of a key is counted as its bytes, those of its value and {@value #ENTRY_BYTES} more. A write that needs more than is
 * left is refused, and nothing is evicted: Redis' policy {@code noeviction}. While a value is replaced, the old and the new one count.
 * A key that has expired is removed when it is read, and otherwise by {@link #removeExpired}.
 */
public final class KeyValueStore {
    /** Estimated memory of an entry besides its bytes. */
    static final int ENTRY_BYTES = 128;

    private static final long NS_PER_MS = 1_000_000;

    /** Longer times to live are shortened to that. */
    private static final Duration TTL_MAX = Duration.ofDays(36_500);

    private final ConcurrentMap<ByteKey, StoredValue> values;
    private final Batches batches;
    private final ExpiryQueue expiries;
    private final AtomicLong usedBytes = new AtomicLong();
    private final LongAdder expired = new LongAdder();
    private final long bytesMax;
    private final LongSupplier clockNs;

    /** @param bytesMax limit of the memory in bytes, at least 1 */
    public KeyValueStore(long bytesMax) {
        this(bytesMax, System::nanoTime, new ExpiryQueue());
    }

    KeyValueStore(long bytesMax, LongSupplier clockNs, ExpiryQueue expiries) {
        this(bytesMax, clockNs, expiries, new ConcurrentHashMap<>());
    }

    KeyValueStore(
            long bytesMax, LongSupplier clockNs, ExpiryQueue expiries, ConcurrentMap<ByteKey, StoredValue> values) {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("the limit of the memory must be at least 1 byte, but is " + bytesMax);
        }
        this.bytesMax = bytesMax;
        this.clockNs = clockNs;
        this.expiries = expiries;
        this.values = values;
        batches = new Batches(values);
        expiries.serve(this);
    }

    /** Outcome of a conditional write. */
    record Written(boolean done, StoredValue before) {}

    /** Condition of a write. */
    enum Condition {
        ALWAYS,
        IF_ABSENT,
        IF_PRESENT
    }

    // ---- reading ----

    /** Returns the value of a key, or null. */
    public StoredValue value(ByteKey key) {
        StoredValue found = values.get(key);
        return found == null || found.isPlain() ? found : visible(found);
    }

    private StoredValue visible(StoredValue found) {
        StoredValue value = found.visible();
        if (value != null && value.isExpired(clockNs.getAsLong())) {
            expire(value);
            return null;
        }
        return value;
    }

    /**
     * Returns the values of keys; null for a key that is not there. The values of one {@link #putAll} are read all or not at all.
     *
     * @param keys returns the key with an index, which may be one object that is filled again and again
     */
    StoredValue[] values(int count, IntFunction<ByteKey> keys) {
        return batches.read(count, i -> value(keys.apply(i)));
    }

    /** Milliseconds until a key expires; -1: it does not expire; -2: there is none. */
    long ttlMs(ByteKey key) {
        StoredValue value = value(key);
        if (value == null) {
            return -2;
        }
        return value.deadline() == null
                ? -1
                : Math.max(0, (value.deadline().ns() - clockNs.getAsLong() + NS_PER_MS - 1) / NS_PER_MS);
    }

    /** Number of keys, those included that have expired and are not removed yet, and those of a batch under way. */
    int size() {
        return values.size();
    }

    /** Number of keys that will expire. */
    int expiring() {
        return expiries.size();
    }

    long usedBytes() {
        return usedBytes.get();
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Number of keys that have expired and were removed. */
    long expired() {
        return expired.sum();
    }

    // ---- writing ----

    /** Sets the value of a key, which does not expire. */
    public void put(ByteKey key, byte[] bytes) {
        reserve(key, bytes.length);
        StoredValue value = new StoredValue(bytes, null);
        StoredValue before = values.get(key);
        if (before != null && !before.isUnderWay() && values.replace(key, before, value)) {
            release(key, before); // a key that is there needs no copy
        } else {
            new Change(any -> value).apply(key);
        }
    }

    /**
     * Sets the values of keys, which do not expire: all at once for whoever reads them.
     *
     * @param wanted keys that never change
     * @throws RefusedCommandException if there is not enough memory for all; nothing is changed then
     */
    void putAll(Map<ByteKey, byte[]> wanted) {
        long cost = 0;
        for (Map.Entry<ByteKey, byte[]> entry : wanted.entrySet()) {
            cost += cost(entry.getKey(), entry.getValue().length);
        }
        reserve(cost);
        Map<ByteKey, StoredValue> replaced = null;
        try {
            replaced = batches.put(wanted);
        } finally {
            if (replaced == null) {
                usedBytes.addAndGet(-cost);
            }
        }
        replaced.forEach(this::release);
    }

    /**
     * Sets the value of a key under a condition.
     *
     * @param ttlMs 0: the value does not expire; -1: it expires when the former value would
     */
    Written put(ByteKey key, byte[] bytes, Condition condition, long ttlMs) {
        reserve(key, bytes.length);
        Change change = new Change(before -> {
            boolean present = before != null;
            if (condition == Condition.IF_ABSENT && present || condition == Condition.IF_PRESENT && !present) {
                return before;
            }
            StoredValue.Deadline deadline = ttlMs > 0
                    ? deadline(key, ttlMs)
                    : ttlMs == 0 || before == null ? null : renewed(key, before.deadline());
            return new StoredValue(bytes, deadline);
        });
        boolean done = change.apply(key);
        if (!done) {
            usedBytes.addAndGet(-cost(key, bytes.length));
        }
        return new Written(done, change.before);
    }

    /**
     * Adds to the integer that is the value of a key; 0 if there is none.
     *
     * @throws RefusedCommandException if the value is no integer, or the sum is none of 64 bits
     */
    long add(ByteKey key, long delta) {
        reserve(key, Long.BYTES * 3);
        long[] sum = new long[1];
        Change change = new Change(before -> {
            long old = before == null ? 0 : integer(before.bytes());
            sum[0] = old + delta;
            if (((old ^ sum[0]) & (delta ^ sum[0])) < 0) {
                throw new RefusedCommandException(RefusedCommandException.OVERFLOW);
            }
            byte[] digits = Long.toString(sum[0]).getBytes(StandardCharsets.US_ASCII);
            return new StoredValue(digits, before == null ? null : renewed(key, before.deadline()));
        });
        try {
            change.apply(key);
            usedBytes.addAndGet(cost(key, change.after.bytes().length));
            return sum[0];
        } finally {
            usedBytes.addAndGet(-cost(key, Long.BYTES * 3));
        }
    }

    private static long integer(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        long value = 0;
        boolean isInteger;
        try {
            value = Long.parseLong(text);
            isInteger = Long.toString(value).equals(text);
        } catch (NumberFormatException noInteger) {
            isInteger = false;
        }
        if (!isInteger) {
            throw new RefusedCommandException(RefusedCommandException.NOT_AN_INTEGER);
        }
        return value;
    }

    /** Returns true if the key was there, and is not any more. */
    boolean remove(ByteKey key) {
        StoredValue before = values.get(key);
        if (before == null) {
            return false;
        }
        if (!before.isUnderWay() && values.remove(key, before)) {
            release(key, before);
            return !before.isExpired(clockNs.getAsLong());
        }
        return new Change(any -> null).apply(key);
    }

    /**
     * Sets the time to live of a key.
     *
     * @param ttlMs 0 or less: the key is removed
     * @param wanted decides by the present value
     * @return false if there is no such key, or it is not wanted
     */
    boolean expireAfter(ByteKey key, long ttlMs, Predicate<StoredValue> wanted) {
        Change change = new Change(before -> {
            if (before == null || !wanted.test(before)) {
                return before;
            }
            return ttlMs <= 0 ? null : new StoredValue(before.bytes(), deadline(key, ttlMs));
        });
        boolean done = change.apply(key);
        if (done && change.after != null) {
            usedBytes.addAndGet(cost(key, change.after.bytes().length));
        }
        return done;
    }

    /** Removes the time to live of a key. Returns true if it had one. */
    boolean persist(ByteKey key) {
        Change change = new Change(
                before -> before == null || before.deadline() == null ? before : new StoredValue(before.bytes(), null));
        boolean done = change.apply(key);
        if (done) {
            usedBytes.addAndGet(cost(key, change.after.bytes().length));
        }
        return done;
    }

    /** Removes all keys that are there now. */
    void clear() {
        List<ByteKey> keys = new ArrayList<>(values.keySet());
        keys.forEach(this::remove);
    }

    /** A change of one key. The memory of the former value is released; that of the new one was reserved, or is counted by the caller. */
    private final class Change {
        private final UnaryOperator<StoredValue> change;
        private StoredValue before;
        private StoredValue after;
        private StoredValue gone;

        /** @param change returns its argument if nothing is to be changed; called with null for a key that has expired */
        Change(UnaryOperator<StoredValue> change) {
            this.change = change;
        }

        /** Returns true if the key was changed. */
        boolean apply(ByteKey key) {
            ByteKey own = key.copy();
            batches.write(() -> attempt(own));
            release(key, gone);
            return after != before;
        }

        /** Returns false, and changes nothing, if the key is part of a batch under way. */
        private boolean attempt(ByteKey key) {
            long nowNs = clockNs.getAsLong();
            boolean[] underWay = new boolean[1];
            values.compute(key, (same, found) -> {
                underWay[0] = found != null && found.isUnderWay();
                if (underWay[0]) {
                    return found;
                }
                boolean past = found != null && found.isExpired(nowNs);
                before = past ? null : found;
                after = change.apply(before);
                gone = after == found ? null : found;
                if (after != null && after != before && after.deadline() != null) {
                    expiries.add(
                            after.deadline()); // before another thread can replace the value and remove the deadline
                }
                return after;
            });
            return !underWay[0];
        }
    }

    // ---- expiry ----

    private StoredValue.Deadline deadline(ByteKey key, long ttlMs) {
        long ms = Math.min(ttlMs, TTL_MAX.toMillis());
        return expiries.deadline(clockNs.getAsLong() + ms * NS_PER_MS, key);
    }

    /** Returns a deadline of the same moment for another value of the key. */
    private StoredValue.Deadline renewed(ByteKey key, StoredValue.Deadline before) {
        return before == null ? null : expiries.deadline(before.ns(), key);
    }

    private void expire(StoredValue value) {
        ByteKey key = value.deadline().key();
        if (values.remove(key, value)) {
            release(key, value);
            expired.increment();
        }
    }

    /** Removes keys that have expired, at most {@code most}. Returns the number of deadlines that have passed. */
    int removeExpired(int most) {
        long nowNs = clockNs.getAsLong();
        int passed = 0;
        for (StoredValue.Deadline first = expiries.first();
                passed < most && first != null && first.ns() - nowNs <= 0;
                first = expiries.first()) {
            StoredValue value = values.get(first.key());
            if (value != null && first.equals(value.deadline())) {
                expire(value);
            }
            expiries.remove(first);
            passed++;
        }
        return passed;
    }

    // ---- memory ----

    private static long cost(ByteKey key, int valueBytes) {
        return (long) key.length() + valueBytes + ENTRY_BYTES;
    }

    private void reserve(ByteKey key, int valueBytes) {
        reserve(cost(key, valueBytes));
    }

    private void reserve(long cost) {
        if (usedBytes.addAndGet(cost) > bytesMax) {
            usedBytes.addAndGet(-cost);
            throw new RefusedCommandException(RefusedCommandException.OUT_OF_MEMORY);
        }
    }

    private void release(ByteKey key, StoredValue gone) {
        if (gone != null) {
            usedBytes.addAndGet(-cost(key, gone.bytes().length));
            if (gone.deadline() != null) {
                expiries.remove(gone.deadline());
            }
        }
    }
}
