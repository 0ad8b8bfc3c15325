package org.cabrank.iouring;

/** Queue of accept results: the watcher adds, the listener's handler takes. Makes no garbage. The limit of descriptors bounds it. */
final class AcceptResults {
    /** Result of an empty queue; neither a descriptor nor an {@code -errno}. */
    static final int NONE = Integer.MIN_VALUE;

    private static final int INITIAL = 64;

    private int[] results = new int[INITIAL];
    private int first;
    private int count;

    /** @throws OutOfMemoryError if the queue cannot grow; it is unchanged then */
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

    /** Returns {@link #NONE} if there is no result. */
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
