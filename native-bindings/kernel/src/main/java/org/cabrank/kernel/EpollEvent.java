package org.cabrank.kernel;

/**
 * Layout of {@code struct epoll_event} (epoll_event(3type)) on the ABI of this process, in bytes. Only x86-64 packs the struct:
 *
 * <pre>
 *           0        4        8       12       16
 * x86-64    | events | data            |
 * aarch64   | events | -      | data            |
 * </pre>
 *
 * On x86-64, the data of every second event of an array are unaligned. Only plain access is possible to such data.
 */
public final class EpollEvent {
    public static final int EVENTS_OFFSET = 0;

    public static final int SIZE_BYTES = sizeBytes(Abi.current());

    public static final int DATA_OFFSET = dataOffset(Abi.current());

    private EpollEvent() {}

    public static int sizeBytes(Abi abi) {
        return abi == Abi.X86_64 ? 12 : 16;
    }

    public static int dataOffset(Abi abi) {
        return abi == Abi.X86_64 ? 4 : 8;
    }
}
