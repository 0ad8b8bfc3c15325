package org.cabrank.lf;

import java.io.IOException;

/**
 * Wait of a thread of the lowest priority for events of a {@link HandleSet} that no leader harvests. While another thread of the CPU is
 * runnable, the kernel hardly ever runs such a thread. So when the wait is over, the leader is about to harvest, or it is blocked in a
 * handler.
 *
 * <p>All methods are called by that thread.
 */
public interface IdleWait {
    /**
     * Called once, before the first wait: pins the calling thread to the CPU of the pool, and gives it the lowest priority.
     *
     * @throws IOException if the kernel refuses, with cause and remedy
     */
    void begin() throws IOException;

    /**
     * Waits until the kernel has events of the set, or the time is over. Harvests nothing.
     *
     * @param timeoutNs in ns, more than 0
     * @return true: there are events
     * @throws IOException if the wait failed, or the threads of the pool run on several CPUs by now; it would fail again
     */
    boolean await(long timeoutNs) throws IOException;

    /** Lets other runnable threads of the CPU run first. A safepoint of the JVM does not wait for the caller. */
    void giveWay();
}
