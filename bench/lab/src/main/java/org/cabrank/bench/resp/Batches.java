package org.cabrank.bench.resp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Writes of several keys of a store at once (MSET). Any thread.
 *
 * <p>A batch gives each of its keys a value that refers to the batch and to the former value. Readers see the former values until the batch
 * ends, by one volatile write, and the new ones from then on. Writers of such a key wait for the end. One batch is under way at a time. A
 * reader of a value that is in no batch pays for one comparison with null.
 */
final class Batches {
    /** Named bound: attempts of a read of several keys to begin and end without the end of a batch in between. */
    private static final int ATTEMPTS_MAX = 3;

    private final ConcurrentMap<ByteKey, StoredValue> values;

    /** Twice the number of batches that have ended; odd while one ends. Written with the monitor. */
    private volatile long ends;

    Batches(ConcurrentMap<ByteKey, StoredValue> values) {
        this.values = values;
    }

    /** A batch, for the values that are part of it. */
    static final class Batch {
        private volatile boolean ended;

        boolean hasEnded() {
            return ended;
        }
    }

    /**
     * Sets the values of keys, which do not expire. Without an effect if it throws.
     *
     * @param wanted keys that never change
     * @return the former values, of those keys that had one
     */
    synchronized Map<ByteKey, StoredValue> put(Map<ByteKey, byte[]> wanted) {
        Batch batch = new Batch();
        Map<ByteKey, StoredValue> placed = new LinkedHashMap<>();
        try {
            wanted.forEach((key, bytes) -> values.compute(key, (same, found) -> {
                StoredValue value = new StoredValue(bytes, null, new StoredValue.InBatch(batch, visible(found)));
                placed.put(key, value);
                return value;
            }));
            ends++;
            batch.ended = true;
            ends++;
        } finally {
            if (!batch.ended) {
                placed.forEach(this::takeBack);
            }
        }
        Map<ByteKey, StoredValue> formers = new LinkedHashMap<>();
        placed.forEach((key, value) -> {
            values.replace(key, value, new StoredValue(value.bytes(), null));
            if (value.batch().former() != null) {
                formers.put(key, value.batch().former());
            }
        });
        return formers;
    }

    private static StoredValue visible(StoredValue found) {
        return found == null ? null : found.visible();
    }

    private void takeBack(ByteKey key, StoredValue placed) {
        StoredValue former = placed.batch().former();
        if (former == null) {
            values.remove(key, placed);
        } else {
            values.replace(key, placed, former);
        }
    }

    /** Runs a write of one key; once more when no batch is under way if it returns false. */
    void write(BooleanSupplier attempt) {
        if (!attempt.getAsBoolean()) {
            synchronized (this) {
                attempt.getAsBoolean();
            }
        }
    }

    /**
     * Reads several keys. The values of a batch are read all or not at all.
     *
     * @param reader returns the value with an index, or null
     */
    StoredValue[] read(int count, IntFunction<StoredValue> reader) {
        StoredValue[] found = new StoredValue[count];
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            long before = ends;
            if ((before & 1) == 0) {
                read(found, reader);
                if (ends == before) {
                    return found;
                }
            }
            Thread.onSpinWait();
        }
        synchronized (this) {
            read(found, reader);
        }
        return found;
    }

    private static void read(StoredValue[] found, IntFunction<StoredValue> reader) {
        for (int i = 0; i < found.length; i++) {
            found[i] = reader.apply(i);
        }
    }
}
