package org.cabrank.kernel.layout;

import org.cabrank.kernel.Abi;

/**
 * Layout of {@code struct epoll_event} (epoll_event(3type)), in bytes. It is packed on x86-64, so that 32-bit programs
 * see the same layout there, and on no other ABI:
 *
 * <pre>
 *           0        4        8       12       16
 * x86-64    | events | data            |
 * aarch64   | events | -      | data            |
 * </pre>
 *
 * On x86-64 every second event of an array has unaligned data: plain access only.
 */
public final class EpollEvent {
    /** {@code uint32_t events}, on every ABI. */
    public static final int EVENTS_OFFSET = 0;

    /** The size of one event, and so the stride of an array of them, on the ABI of this process. */
    public static final int SIZE_BYTES = sizeBytes(Abi.current());

    /** {@code epoll_data_t data}, 64 bits that the kernel hands back untouched, on the ABI of this process. */
    public static final int DATA_OFFSET = dataOffset(Abi.current());

    private EpollEvent() {}

    public static int sizeBytes(Abi abi) {
        return abi == Abi.X86_64 ? 12 : 16;
    }

    public static int dataOffset(Abi abi) {
        return abi == Abi.X86_64 ? 4 : 8;
    }
}
