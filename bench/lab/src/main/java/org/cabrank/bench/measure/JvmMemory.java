package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** Memory that this JVM uses for its program: the live objects on the heap, and {@link NativeMemory}. */
public final class JvmMemory {

    /** One collection is not enough, because it may make more objects unreachable. */
    private static final int COLLECTIONS = 2;

    private JvmMemory() {}

    /** Collects garbage and returns the bytes. Only values of the same process can be compared. */
    public static long bytes() throws UnweighableException {
        // Discards the first result, because the first query loads classes, which need memory.
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

    /** Returns the bytes after the latest collection, because threads may have allocated buffers (TLABs) of megabytes since then. */
    private static long liveBytes(MemoryPoolMXBean pool) {
        MemoryUsage left = pool.getCollectionUsage();
        return (left == null ? pool.getUsage() : left).getUsed();
    }
}
