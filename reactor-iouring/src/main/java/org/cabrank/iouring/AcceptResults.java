package org.cabrank.iouring;

/**
 * Results of accepts, first in, first out: added by the watcher, taken in the handler of the listener. Allocates only to grow, because an
 * object for each result would be garbage of each connection.
 *
 * <p>It has no limit of its own, since the kernel has accepted these connections: the limit of the process's descriptors bounds it.
 */
final class AcceptResults {
    /** Neither a descriptor nor an errno. */
    static final int NONE = Integer.MIN_VALUE;

    private static final int INITIAL = 64;

    private int[] results = new int[INITIAL];
    private int first;
    private int count;

    /**
     * Adds a result.
     *
     * @param result a descriptor or {@code -errno}
     * @throws OutOfMemoryError if there is no room for more; nothing has changed then
     */
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

    /** Takes the oldest result; {@link #NONE} if there is none. */
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
