package org.cabrank.socket.contract;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/** Memory of direct buffers of this JVM. */
final class DirectMemory {
    private DirectMemory() {}

    /** Returns the number of bytes that are in use. */
    static long bytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
