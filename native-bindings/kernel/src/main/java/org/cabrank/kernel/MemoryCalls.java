package org.cabrank.kernel;

import java.nio.ByteBuffer;

/** Calls for memory that is shared with the kernel. Constants are in {@link Memory}. */
public interface MemoryCalls extends NativeCalls {

    /** mmap(2). Returns the address, or {@code -errno} (from -4095 to -1). */
    default long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return call(CFunction.MMAP, address, length, protection, flags, fd, offset);
    }

    /** munmap(2). After this call, neither the kernel nor a view may use the memory. */
    default int munmap(long address, long length) {
        return (int) call(CFunction.MUNMAP, address, length, 0, 0, 0, 0);
    }

    /** getpagesize(2). Returns the size of a page in bytes. On aarch64, this size depends on the build of the kernel. */
    default int getpagesize() {
        return (int) call(CFunction.GETPAGESIZE, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Returns the address of the byte at index 0 of a direct buffer. The caller must keep the buffer reachable as long as the address is in
     * use (see {@link NativeArgument}).
     *
     * @throws IllegalArgumentException for a buffer on the Java heap, which has no fixed address
     */
    long addressOf(ByteBuffer direct);

    /** Returns a view of memory, in native byte order. The view does not keep the memory mapped. Do not use it after munmap(2). */
    ByteBuffer viewOf(long address, int length);
}
