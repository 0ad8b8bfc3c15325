package org.cabrank.bench.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that the threads of this JVM have allocated. Does not count the calling thread, because the query itself allocates. */
public final class AllocatedBytes {

    /** {@code getTotalThreadAllocatedBytes} (JDK 21) also counts threads that have ended. */
    private static final int TOTAL_SINCE = 21;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final TotalCounter total = totalCounter(threads);

    /** Only results of the same calling thread can be compared. Before JDK 21, the number decreases when a thread ends. */
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
            // The value is -1 if the thread ended between the two calls.
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
