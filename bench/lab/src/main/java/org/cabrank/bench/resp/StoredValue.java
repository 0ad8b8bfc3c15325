package org.cabrank.bench.resp;

/**
 * A value of the store. Immutable: the array is never changed.
 *
 * @param deadline null: the value does not expire
 * @param batch of which the value is part, with the former value of the key; null: of none, or of one that ended before
 */
public record StoredValue(byte[] bytes, Deadline deadline, InBatch batch) {
    StoredValue(byte[] bytes, Deadline deadline) {
        this(bytes, deadline, null);
    }

    /** @param former value that is read until the batch ends; null: none */
    record InBatch(Batches.Batch batch, StoredValue former) {}

    /** Returns true if this is the value that is read, and it does not expire. */
    boolean isPlain() {
        return deadline == null && batch == null;
    }

    /** Returns true if a batch with this value is under way: no other write may change the key until its end. */
    boolean isUnderWay() {
        return batch != null && !batch.batch().hasEnded();
    }

    /** Returns the value that is read now: this value, or the former one while its batch is under way; null: none. */
    StoredValue visible() {
        return isUnderWay() ? batch.former() : this;
    }

    boolean isExpired(long nowNs) {
        return deadline != null && deadline.ns() - nowNs <= 0;
    }

    /**
     * Moment at which a key expires. Two deadlines of the same moment are ordered by their numbers.
     *
     * @param ns of {@link System#nanoTime}
     */
    record Deadline(long ns, long number, ByteKey key) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            return ns == other.ns ? Long.compare(number, other.number) : ns - other.ns < 0 ? -1 : 1;
        }
    }
}
