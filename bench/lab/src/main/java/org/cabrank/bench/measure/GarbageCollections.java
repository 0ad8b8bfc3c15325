package org.cabrank.bench.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Garbage collections of this JVM since its start. {@code pauseMs} is right only if the collectors never run concurrently. */
public record GarbageCollections(long count, long pauseMs) {

    public static GarbageCollections now() {
        long count = 0;
        long pauseMs = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // A collector reports -1 if it does not know the value.
            count += Math.max(0, collector.getCollectionCount());
            pauseMs += Math.max(0, collector.getCollectionTime());
        }
        return new GarbageCollections(count, pauseMs);
    }

    public GarbageCollections since(GarbageCollections earlier) {
        return new GarbageCollections(count - earlier.count, pauseMs - earlier.pauseMs);
    }
}
