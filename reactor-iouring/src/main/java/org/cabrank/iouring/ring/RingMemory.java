package org.cabrank.iouring.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringCqe;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringSqe;

/**
 * The two mappings that a ring and this process share. No view may be accessed after {@link #close}, because that would end the process.
 *
 * <pre>
 * rings  | SQ head, tail, mask, flags, ... | CQ head, tail, mask, ... | completions | perhaps an array of indices |
 * sqes   | submission 0 | submission 1 | ...
 * </pre>
 */
final class RingMemory implements AutoCloseable {
    private final Kernel kernel;
    private final long ringsAddress;
    private final long ringsBytes;
    private final long sqesAddress;
    private final long sqesBytes;
    private final ByteBuffer rings;
    private final ByteBuffer sqes;

    private RingMemory(Kernel kernel, long ringsAddress, long ringsBytes, long sqesAddress, long sqesBytes) {
        this.kernel = kernel;
        this.ringsAddress = ringsAddress;
        this.ringsBytes = ringsBytes;
        this.sqesAddress = sqesAddress;
        this.sqesBytes = sqesBytes;
        this.rings = kernel.viewOf(ringsAddress, (int) ringsBytes);
        this.sqes = kernel.viewOf(sqesAddress, (int) sqesBytes);
    }

    /** @param params parameters that the kernel has filled in. They must have {@link IoUring#IORING_FEAT_SINGLE_MMAP} */
    static RingMemory map(Kernel kernel, int fd, ByteBuffer params) throws IOException {
        int sqEntries = params.getInt(IoUringParams.SQ_ENTRIES_OFFSET);
        int cqEntries = params.getInt(IoUringParams.CQ_ENTRIES_OFFSET);
        boolean array = (params.getInt(IoUringParams.FLAGS_OFFSET) & IoUring.IORING_SETUP_NO_SQARRAY) == 0;
        long cqesEnd = params.getInt(IoUringParams.CQ_OFF_CQES_OFFSET) + (long) cqEntries * IoUringCqe.SIZE_BYTES;
        long arrayEnd = array ? params.getInt(IoUringParams.SQ_OFF_ARRAY_OFFSET) + (long) sqEntries * Integer.BYTES : 0;
        long ringsBytes = Math.max(cqesEnd, arrayEnd);
        long sqesBytes = (long) sqEntries * IoUringSqe.SIZE_BYTES;
        long rings = map(kernel, fd, ringsBytes, IoUring.IORING_OFF_SQ_RING);
        long sqes;
        try {
            sqes = map(kernel, fd, sqesBytes, IoUring.IORING_OFF_SQES);
        } catch (IOException refused) {
            kernel.munmap(rings, ringsBytes);
            throw refused;
        }
        RingMemory memory = new RingMemory(kernel, rings, ringsBytes, sqes, sqesBytes);
        if (array) {
            memory.fillArray(params.getInt(IoUringParams.SQ_OFF_ARRAY_OFFSET), sqEntries);
        }
        return memory;
    }

    private static long map(Kernel kernel, int fd, long bytes, long offset) throws IOException {
        long address = kernel.mmap(
                0, bytes, Memory.PROT_READ | Memory.PROT_WRITE, Memory.MAP_SHARED | Memory.MAP_POPULATE, fd, offset);
        if (address < 0 && address >= -Errno.MAX_ERRNO) {
            throw Errno.exception("mmap of " + bytes + " bytes of the ring", (int) address);
        }
        return address;
    }

    /** Makes entry i of the array name submission i, so that the kernel takes submissions in order. */
    private void fillArray(int offset, int entries) {
        for (int i = 0; i < entries; i++) {
            rings.putInt(offset + i * Integer.BYTES, i);
        }
    }

    ByteBuffer rings() {
        return rings;
    }

    ByteBuffer sqes() {
        return sqes;
    }

    @Override
    public void close() {
        kernel.munmap(sqesAddress, sqesBytes);
        kernel.munmap(ringsAddress, ringsBytes);
    }
}
