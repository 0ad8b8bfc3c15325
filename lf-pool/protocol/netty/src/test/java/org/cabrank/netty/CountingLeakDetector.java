package org.cabrank.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps what Netty's leak detection reports, for tests; made by Netty. */
public final class CountingLeakDetector<T> extends ResourceLeakDetector<T> {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    public CountingLeakDetector(Class<?> resourceType, int samplingInterval) {
        super(resourceType, samplingInterval);
    }

    public CountingLeakDetector(Class<?> resourceType, int samplingInterval, long maxActive) {
        super(resourceType, samplingInterval);
    }

    /** Returns what was collected unreleased: each report takes an allocation. */
    public static List<String> leaks() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.buffer().release();
        }
        return List.copyOf(LEAKS);
    }

    public static void forget() {
        LEAKS.clear();
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
        LEAKS.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
        LEAKS.add(resourceType);
    }
}
