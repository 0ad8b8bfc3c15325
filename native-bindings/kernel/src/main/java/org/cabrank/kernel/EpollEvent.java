package org.cabrank.kernel;

/**
 * Layout of {@code struct epoll_event} (epoll_event(3type)) on the ABI of this process, in bytes. The struct is packed only on x86-64,
 * where 32-bit programs have the same layout:
 *
 * <pre>
 *           0        4        8       12       16
 * x86-64    | events | data            |
 * aarch64   | events | -      | data            |
 * </pre>
 *
 * On x86-64 every second event of an array has unaligned data, which allows only plain access.
 */
public final class EpollEvent {
    public static final int EVENTS_OFFSET = 0;

    /** Size of an event, and distance of events in an array. */
    public static final int SIZE_BYTES = sizeBytes(Abi.current());

    /** 64 bits that the kernel hands back unchanged. */
    public static final int DATA_OFFSET = dataOffset(Abi.current());

    private EpollEvent() {}

    public static int sizeBytes(Abi abi) {
        return abi == Abi.X86_64 ? 12 : 16;
    }

    public static int dataOffset(Abi abi) {
        return abi == Abi.X86_64 ? 4 : 8;
    }
}
