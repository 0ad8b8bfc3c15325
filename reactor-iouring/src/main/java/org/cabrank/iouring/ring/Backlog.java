package org.cabrank.iouring.ring;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.cabrank.kernel.layout.IoUringSqe;

/** Submissions that are not in the queue yet, in order. */
final class Backlog {
    /** A submission has eight longs. The backlog keeps six, because the last two are always 0. */
    private static final int LONGS = 6;
    /** Index of the long with the user data. The descriptor is the upper half of long 0. */
    private static final int USER_DATA = 4;

    private static final int ENTRIES_INITIAL = 64;

    private long[] images = new long[ENTRIES_INITIAL * LONGS];
    private int first;
    private int count;

    int count() {
        return count;
    }

    void append(long long0, long long1, long long2, long long3, long long4, long long5) {
        if (count * LONGS == images.length) {
            grow();
        }
        int at = (first + count) * LONGS % images.length;
        images[at] = long0;
        images[at + 1] = long1;
        images[at + 2] = long2;
        images[at + 3] = long3;
        images[at + 4] = long4;
        images[at + 5] = long5;
        count++;
    }

    private void grow() {
        long[] larger = Arrays.copyOf(images, images.length * 2);
        int start = first * LONGS;
        System.arraycopy(images, start, larger, 0, images.length - start);
        System.arraycopy(images, 0, larger, images.length - start, start);
        images = larger;
        first = 0;
    }

    void moveFirst(ByteBuffer sqes, int offset) {
        int at = first * LONGS;
        for (int i = 0; i < LONGS; i++) {
            sqes.putLong(offset + i * Long.BYTES, images[at + i]);
        }
        for (int i = LONGS; i < IoUringSqe.SIZE_BYTES / Long.BYTES; i++) {
            sqes.putLong(offset + i * Long.BYTES, 0);
        }
        first = (first + 1) % (images.length / LONGS);
        count--;
    }

    void moveFirst(SubmissionWriter to) {
        int at = first * LONGS;
        to.append(images[at], images[at + 1], images[at + 2], images[at + 3], images[at + 4], images[at + 5]);
        first = (first + 1) % (images.length / LONGS);
        count--;
    }

    void descriptorsOf(long userData, IntConsumer descriptors) {
        for (int i = 0; i < count; i++) {
            int at = (first + i) * LONGS % images.length;
            if (images[at + USER_DATA] == userData) {
                descriptors.accept((int) (images[at] >> Integer.SIZE));
            }
        }
    }
}
