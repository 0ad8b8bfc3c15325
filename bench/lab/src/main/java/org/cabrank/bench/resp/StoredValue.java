package org.cabrank.bench.resp;

/**
 * A value of the store. Immutable: the array is never changed.
 *
 * @param deadline null: the value does not expire
 */
public record StoredValue(byte[] bytes, Deadline deadline) {

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
