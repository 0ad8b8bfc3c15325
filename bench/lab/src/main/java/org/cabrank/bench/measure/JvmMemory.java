package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/** Memory that this JVM uses for its program: live objects on the heap, and {@link NativeMemory}. */
public final class JvmMemory {

    /** More than one, because a collection may itself make objects unreachable that it does not free. */
    private static final int COLLECTIONS = 2;

    private JvmMemory() {}

    /** Collects garbage first. Only values of one process can be compared. */
    public static long bytes() throws UnweighableException {
        // The first query loads classes, which stay on the heap, so a query precedes the counting.
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

    /** Returns the use after the latest collection, because threads may have allocated megabytes of buffers (TLABs) since then. */
    private static long liveBytes(MemoryPoolMXBean pool) {
        MemoryUsage left = pool.getCollectionUsage();
        return (left == null ? pool.getUsage() : left).getUsed();
    }
}
