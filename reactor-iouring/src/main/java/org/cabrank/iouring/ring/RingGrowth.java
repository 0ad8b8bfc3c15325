package org.cabrank.iouring.ring;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringParams;
import org.cabrank.kernel.Kernel;

/**
 * Doubles the completion queue of a ring that finds it more than half full, or overflowed, up to a maximum
 * (IORING_REGISTER_RESIZE_RINGS). By the watcher.
 *
 * <p>Heads and tails stay the same numbers in the new memory, so that what is queued and what is to be read keeps its index. The
 * memory of a former size stays mapped until the ring is closed, for threads that look at a counter there; all former sizes
 * together are smaller than the present one.
 */
final class RingGrowth {
    private static final System.Logger LOGGER = System.getLogger(RingGrowth.class.getName());

    private final Ring ring;
    private final ByteBuffer params;
    private final int entriesMax;
    private final List<RingMemory> grown = new ArrayList<>();

    /** The kernel had no memory for a larger queue: the ring keeps its size. */
    private boolean refused;

    /**
     * @param params as the kernel has filled it in for the first size
     * @param entriesMax the last size
     */
    RingGrowth(Ring ring, ByteBuffer params, int entriesMax) {
        this.ring = ring;
        this.params = params;
        this.entriesMax = entriesMax;
    }

    /** Gives the rings these sizes: 0 or {@code -errno}. The ring's memory is to be mapped anew. */
    static int resize(Kernel kernel, int fd, int submissionEntries, int completionEntries) {
        ByteBuffer wish = ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        wish.putInt(IoUringParams.FLAGS_OFFSET, IoUring.IORING_SETUP_CQSIZE);
        wish.putInt(IoUringParams.SQ_ENTRIES_OFFSET, submissionEntries);
        wish.putInt(IoUringParams.CQ_ENTRIES_OFFSET, completionEntries);
        int result = kernel.ioUringRegister(fd, IoUring.IORING_REGISTER_RESIZE_RINGS, kernel.addressOf(wish), 1);
        Reference.reachabilityFence(wish);
        return result;
    }

    /** After a wait: doubles the queue if it is more than half full, or {@code overflowed} before or since. */
    void check(boolean overflowed) throws IOException {
        CompletionQueue completions = ring.completions();
        int entries = completions.entries();
        boolean crowded = overflowed || completions.available() > entries / 2 || completions.overflowed();
        if (crowded && entries < entriesMax && !refused && !wraps()) {
            grow(Math.min(2 * entries, entriesMax));
        }
    }

    /** The kernel copies nothing of a queue whose tail has gone past the end of 32 bits and whose head has not. */
    private boolean wraps() {
        return ring.completions().wraps() || ring.submissions().wraps();
    }

    /** @throws IOException when the memory of the new size cannot be mapped: the ring is of no use then */
    private void grow(int entries) throws IOException {
        Kernel kernel = ring.kernel();
        int result = resize(kernel, ring.fd(), ring.submissions().entries(), entries);
        if (result < 0) {
            refused = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    ring + " keeps " + ring.completions().entries()
                            + " completions, and what finds no room comes later: the"
                            + " kernel refuses " + entries + " with " + Errno.name(-result)
                            + (result == -Errno.ENOMEM ? ", see the memory limit of the cgroup" : ""));
            return;
        }
        params.putInt(IoUringParams.CQ_ENTRIES_OFFSET, entries);
        RingMemory memory = RingMemory.map(kernel, ring.fd(), params);
        grown.add(memory);
        ring.completions().moveTo(memory.rings(), entries);
        ring.submissions().moveTo(memory);
    }

    /** Closes the memory of the grown queues. Called when the ring is closed. */
    void close() {
        grown.forEach(RingMemory::close);
    }
}
