package org.cabrank.kernel;

/**
 * Layout of {@code struct epoll_event} (epoll_event(3type)) on the ABI of this process, in bytes. It is packed on x86-64, so that 32-bit
 * programs see the same layout there, and on no other ABI:
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
    public static final int EVENTS_OFFSET = 0;

    /** Also the stride of an array. */
    public static final int SIZE_BYTES = sizeBytes(Abi.current());

    /** 64 bits that the kernel hands back untouched. */
    public static final int DATA_OFFSET = dataOffset(Abi.current());

    private EpollEvent() {}

    public static int sizeBytes(Abi abi) {
        return abi == Abi.X86_64 ? 12 : 16;
    }

    public static int dataOffset(Abi abi) {
        return abi == Abi.X86_64 ? 4 : 8;
    }
}
