package org.cabrank.kernel;

import java.nio.ByteBuffer;

/** Memory that is shared with the kernel. Constants are in {@link Memory}. */
public interface MemoryCalls extends NativeCalls {

    /** mmap(2): the address, or {@code -errno} (from -4095 to -1). */
    default long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return call(CFunction.MMAP, address, length, protection, flags, fd, offset);
    }

    /** munmap(2). Nothing may touch the memory afterwards: neither a view of it nor the kernel. */
    default int munmap(long address, long length) {
        return (int) call(CFunction.MUNMAP, address, length, 0, 0, 0, 0);
    }

    /** getpagesize(2): bytes of a page, a choice of the kernel's builder on aarch64. */
    default int getpagesize() {
        return (int) call(CFunction.GETPAGESIZE, 0, 0, 0, 0, 0, 0);
    }

    /**
     * The address of the first byte (index 0, not position) of a direct buffer. The caller keeps the buffer reachable as long as the
     * address is in use: {@link NativeArgument} tells how, and does it for one call.
     *
     * @throws IllegalArgumentException for a buffer on the Java heap, which has no lasting address
     */
    long addressOf(ByteBuffer direct);

    /** A view, in native byte order, of memory that it does not own: after an unmap nobody may use the view. */
    ByteBuffer viewOf(long address, int length);
}
