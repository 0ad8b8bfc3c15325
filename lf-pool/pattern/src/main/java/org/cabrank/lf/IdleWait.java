package org.cabrank.lf;

import java.io.IOException;

/**
 * Wait of a thread of the lowest priority for events of a {@link HandleSet} that no leader harvests. The thread runs only when
 * no other thread of the CPU is runnable. So when the wait is over, the leader is about to harvest, or it is blocked in a handler.
 *
 * <p>All methods are called by that thread, unless they say otherwise.
 */
public interface IdleWait extends AutoCloseable {
    /**
     * Called once, before the first wait: gives the calling thread the lowest priority.
     *
     * @throws IOException if the kernel refuses, with cause and remedy
     */
    void begin() throws IOException;

    /**
     * Waits until the kernel has events of the set, or the time is over. Harvests nothing.
     *
     * @param timeoutNs in ns, more than 0
     * @return true: there are events
     * @throws IOException if the wait failed; it would fail again
     */
    boolean await(long timeoutNs) throws IOException;

    /** Lets other runnable threads of the CPU run first. */
    default void giveWay() {
        Thread.yield();
    }

    /** Gives the descriptors back. Called by any thread, once, after the last wait. */
    @Override
    void close();
}
