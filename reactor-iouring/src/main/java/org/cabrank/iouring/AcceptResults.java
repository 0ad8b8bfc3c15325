package org.cabrank.iouring;

/** Queue of accepted descriptors and {@code -errno}s. The process's limit of descriptors bounds its length. */
final class AcceptResults {
    static final int NONE = Integer.MIN_VALUE;

    private static final int INITIAL = 64;

    private int[] results = new int[INITIAL];
    private int first;
    private int count;

    /** @throws OutOfMemoryError if the queue cannot grow. The queue is then unchanged. */
    void put(int result) {
        if (count == results.length) {
            grow();
        }
        results[(first + count) % results.length] = result;
        count++;
    }

    private void grow() {
        int[] larger = new int[results.length * 2];
        int atEnd = results.length - first;
        System.arraycopy(results, first, larger, 0, atEnd);
        System.arraycopy(results, 0, larger, atEnd, first);
        results = larger;
        first = 0;
    }

    boolean isEmpty() {
        return count == 0;
    }

    int poll() {
        if (count == 0) {
            return NONE;
        }
        int result = results[first];
        first = (first + 1) % results.length;
        count--;
        return result;
    }
}
