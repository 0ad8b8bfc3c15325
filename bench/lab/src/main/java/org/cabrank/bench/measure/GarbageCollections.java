package org.cabrank.bench.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Garbage collections of this JVM since its start. {@code pauseMs}: whole ms for each collector; valid if all collect in pauses. */
public record GarbageCollections(long count, long pauseMs) {

    public static GarbageCollections now() {
        long count = 0;
        long pauseMs = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // -1 from a collector that does not report it
            count += Math.max(0, collector.getCollectionCount());
            pauseMs += Math.max(0, collector.getCollectionTime());
        }
        return new GarbageCollections(count, pauseMs);
    }

    public GarbageCollections since(GarbageCollections earlier) {
        return new GarbageCollections(count - earlier.count, pauseMs - earlier.pauseMs);
    }
}
