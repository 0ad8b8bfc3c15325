package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * What this JVM's memory holds of the program that runs in it: what lives on the heap, and outside the heap what
 * {@link NativeMemory} takes for the program's.
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

    /** As the collection left it: meanwhile any thread may have got some megabytes of it for what it is going to allocate. */
    private static long liveBytes(MemoryPoolMXBean pool) {
        MemoryUsage left = pool.getCollectionUsage();
        return (left == null ? pool.getUsage() : left).getUsed();
    }
}
