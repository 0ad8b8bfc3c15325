package org.cabrank.iouring;

import java.util.Arrays;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.OutboundQueue;

/**
 * The zero-copy sends of one connection whose memory the network may still be reading: a send that has completed has only been
 * queued by TCP, and its bytes are read, perhaps again, until the peer has acknowledged them. Each has a number, and has pinned
 * its chunks.
 *
 * <p>The claim holder begins a send, the watcher ends it.
 */
final class ZeroCopySends {
    /** Named bound: sends of one connection whose memory is not free yet. Beyond it, they are copied. */
    static final int AT_ONCE_MAX = 16;

    /** No number: all are in use. */
    static final int NONE = -1;

    private final ZeroCopy zeroCopy;
    private final Chunk[][] pinned = new Chunk[AT_ONCE_MAX][];
    private final int[] counts = new int[AT_ONCE_MAX];

    ZeroCopySends(ZeroCopy zeroCopy) {
        this.zeroCopy = zeroCopy;
    }

    /**
     * Claim holder: pins the oldest chunks of the queue.
     *
     * @param count number of chunks, from 1 to {@link SendVector#CHUNKS_MAX}
     * @return the number of the send, or {@link #NONE}, and then nothing is pinned
     */
    int begin(OutboundQueue queue, int count) {
        int number = free();
        if (number == NONE) {
            return NONE;
        }
        Chunk[] chunks = pinned[number];
        if (chunks == null || chunks.length < count) {
            chunks = new Chunk[count == 1 ? 1 : SendVector.CHUNKS_MAX];
            pinned[number] = chunks;
        }
        Chunk chunk = queue.head();
        for (int i = 0; i < count; i++) {
            chunk.pin();
            chunks[i] = chunk;
            chunk = queue.following(chunk);
        }
        counts[number] = count;
        zeroCopy.noteSend();
        return number;
    }

    private int free() {
        for (int number = 0; number < AT_ONCE_MAX; number++) {
            if (counts[number] == 0) {
                return number;
            }
        }
        return NONE;
    }

    /**
     * The ring is gone, and will not say when the network has done with the memory: it stays as it is for as long as the process
     * lives. Given back, it would become somebody else's, whose bytes the peer would be sent.
     */
    void keep() {
        for (int number = 0; number < AT_ONCE_MAX; number++) {
            if (counts[number] > 0) {
                zeroCopy.keep(pinned[number], counts[number]);
            }
        }
    }

    /** Watcher: the kernel reads the memory of this send no more. */
    void end(int number) {
        int count = counts[number];
        if (count == 0) {
            throw new IllegalStateException("zero-copy send " + number + " has ended before");
        }
        for (int i = 0; i < count; i++) {
            zeroCopy.chunks().unpin(pinned[number][i]);
        }
        Arrays.fill(pinned[number], 0, count, null);
        counts[number] = 0;
        zeroCopy.noteMemoryFree();
    }
}
