package org.cabrank.lf.dispatch;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The calls of dispatch to the backend of its handle set. {@code org.cabrank.lf.HandleSet} documents each call for backends. */
public interface BackendCalls {
    /** Any thread: the clock of timers and deadlines, in ns. */
    long nanoTime();

    /** Returns a way to wait in the set, {@link Dispatcher#HARVEST_MAX} events at most at a time. */
    HarvestedEvents newHarvest();

    /** Any thread: ends the present or the next wait of a watcher. */
    void interruptAwait();

    /** Claim holder of a set that disarms its handles: arms the handle again. */
    void rearm(HandleState handle) throws IOException;

    /** Claim holder: gives the descriptor back of a handle that has left the set. */
    void closeDescriptor(HandleState handle);

    /** A thread that does not wait in the set next: submits what handlers have asked of the kernel. */
    void submitRequests();

    /** Returns a probe of the calling thread, which answers true while the thread is blocked. */
    BooleanSupplier newThreadProbe();
}
