package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * Memory that this JVM uses for its program: live objects on the heap, and memory outside the heap that
 * {@link NativeMemory} attributes to the program.
 */
public final class JvmMemory {

    /** A collection may leave what its own finding made unreachable. */
    private static final int COLLECTIONS = 2;

    private JvmMemory() {}

    /**
     * Collects garbage first. Compare two of one process only.
     *
     * @throws UnweighableException when this JVM does not tell of its native memory
     */
    public static long bytes() throws UnweighableException {
        // The first question loads classes, which then live on the heap: so nothing is counted before one was answered.
        NativeMemory.bytes();
        return liveHeapBytes() + NativeMemory.bytes();
    }

    static long liveHeapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(JvmMemory::liveBytes)
                .sum();
    }

    /**
     * Returns the use after the latest collection, because threads may have allocated megabytes of buffers (TLABs) since
     * then.
     */
    private static long liveBytes(MemoryPoolMXBean pool) {
        MemoryUsage left = pool.getCollectionUsage();
        return (left == null ? pool.getUsage() : left).getUsed();
    }
}
