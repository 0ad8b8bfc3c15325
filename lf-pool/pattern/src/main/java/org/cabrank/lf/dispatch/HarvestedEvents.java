package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.counting.Counter;

/** The waits of a handle set's watcher, and the events of the last wait: see {@code org.cabrank.lf.handle.Harvest}. */
public abstract class HarvestedEvents {
    private final Counter stale = new Counter();

    protected HarvestedEvents() {}

    protected abstract int await(long timeoutNs) throws IOException;

    protected abstract HandleState next();

    protected abstract int ready();

    /** Counts an event that {@link #next} skipped, because its handle has left. */
    protected final void noteStale() {
        stale.add(1);
    }

    final long staleOpaque() {
        return stale.valueOpaque();
    }
}
