package org.cabrank.kernel;

import java.nio.ByteBuffer;

/** Calls for memory that is shared with the kernel. Constants are in {@link Memory}. */
public interface MemoryCalls extends NativeCalls {

    /** mmap(2). Returns the address, or {@code -errno} (from -4095 to -1). */
    default long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return call(CFunction.MMAP, address, length, protection, flags, fd, offset);
    }

    /** munmap(2). Afterwards the memory must not be used any more, by a view or by the kernel. */
    default int munmap(long address, long length) {
        return (int) call(CFunction.MUNMAP, address, length, 0, 0, 0, 0);
    }

    /** getpagesize(2). Returns the size of a page in bytes, which on aarch64 depends on the build of the kernel. */
    default int getpagesize() {
        return (int) call(CFunction.GETPAGESIZE, 0, 0, 0, 0, 0, 0);
    }

    /**
     * The address of the first byte (index 0, not position) of a direct buffer. The caller keeps the buffer reachable as long as the
     * address is in use: {@link NativeArgument} names the ways, and does so for one call.
     *
     * @throws IllegalArgumentException for a buffer on the Java heap, which has no fixed address
     */
    long addressOf(ByteBuffer direct);

    /** A view of memory, in native byte order. It does not keep the memory mapped: after munmap(2) the view must not be used. */
    ByteBuffer viewOf(long address, int length);
}
