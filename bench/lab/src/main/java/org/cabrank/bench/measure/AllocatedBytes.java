package org.cabrank.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that this JVM's threads have allocated on the heap since its start, except the calling thread, because the query allocates. */
public final class AllocatedBytes {

    /** {@code getTotalThreadAllocatedBytes} (JDK 21) also counts threads that have ended. */
    private static final int TOTAL_SINCE = 21;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final TotalCounter total = totalCounter(threads);

    /** Returns a count that never decreases while no thread ends. Only counts of one calling thread can be compared. */
    public long now() {
        long all = total.bytes();
        return all - threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private interface TotalCounter {
        long bytes();
    }

    private static TotalCounter totalCounter(ThreadMXBean threads) {
        if (Runtime.version().feature() < TOTAL_SINCE) {
            return () -> sumOverLivingThreads(threads);
        }
        try {
            // Reflection, because the language level is 17.
            var method = ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
            return () -> {
                try {
                    return (long) method.invoke(threads);
                } catch (ReflectiveOperationException notCallable) {
                    throw new IllegalStateException(notCallable);
                }
            };
        } catch (NoSuchMethodException otherJvm) {
            return () -> sumOverLivingThreads(threads);
        }
    }

    private static long sumOverLivingThreads(ThreadMXBean threads) {
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            // -1 for a thread that ended between the two calls
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
