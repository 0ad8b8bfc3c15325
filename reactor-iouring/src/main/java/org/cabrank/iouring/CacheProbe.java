package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoVec;

/**
 * Finds the bytes of a file that sendfile(2) can send without waiting for a disk. The probe reads one byte every 128 KiB by preadv2(2) with
 * RWF_NOWAIT. If two neighboring tested bytes are cached, the bytes between them count as cached, because the kernel usually reads ahead in
 * steps of at least 128 KiB.
 */
final class CacheProbe {
    /** Distance between tested bytes. It is the kernel's default for reading ahead. */
    static final int STEP_BYTES = 128 << 10;

    private static final ThreadLocal<CacheProbe> OF_THREAD = new ThreadLocal<>();

    private final ByteBuffer memory;
    private final long address;

    private CacheProbe(Kernel kernel) {
        memory = ByteBuffer.allocateDirect(IoVec.SIZE_BYTES + 1).order(ByteOrder.nativeOrder());
        address = kernel.addressOf(memory);
        memory.putLong(IoVec.BASE_OFFSET, address + IoVec.SIZE_BYTES).putLong(IoVec.LEN_OFFSET, 1);
    }

    /** Returns the number of cached bytes from {@code position} on. Returns 0 at the end of the file or on failure. */
    static int cachedBytes(Kernel kernel, int fd, long position, int count) {
        CacheProbe own = OF_THREAD.get();
        if (own == null) {
            own = new CacheProbe(kernel);
            OF_THREAD.set(own);
        }
        if (!own.isCached(kernel, fd, position)) {
            return 0;
        }
        int cached = 1;
        while (cached < count) {
            int next = (int) Math.min(count, (long) (cached == 1 ? 0 : cached) + STEP_BYTES);
            if (!own.isCached(kernel, fd, position + next - 1)) {
                break;
            }
            cached = next;
        }
        return cached;
    }

    private boolean isCached(Kernel kernel, int fd, long position) {
        return kernel.preadv2(fd, address, 1, position, FileFlags.RWF_NOWAIT) == 1;
    }
}
