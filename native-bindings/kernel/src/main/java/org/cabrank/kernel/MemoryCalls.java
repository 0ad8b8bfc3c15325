package org.cabrank.kernel;

import java.nio.ByteBuffer;

/** Memory that is shared with the kernel. */
public interface MemoryCalls {

    /** mmap(2): the address, or {@code -errno} (from -4095 to -1). */
    long mmap(long address, long length, int protection, int flags, int fd, long offset);

    int munmap(long address, long length);

    /** The address of the first byte (index 0, not position) of a direct buffer. */
    long addressOf(ByteBuffer direct);

    /**
     * A view, in native byte order, of {@code length} bytes at {@code address}. It does not own the memory: whoever
     * unmaps the memory must not touch the view again.
     */
    ByteBuffer viewOf(long address, int length);
}
