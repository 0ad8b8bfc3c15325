package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.counting.Counter;

/**
 * The waits of the watcher of a handle set, and the events of the last wait. {@code org.cabrank.lf.handle.Harvest} says what
 * each call does.
 */
public abstract class HarvestedEvents {
    private final Counter stale = new Counter();

    protected HarvestedEvents() {}

    protected abstract int await(long timeoutNs) throws IOException;

    protected abstract HandleState next();

    protected abstract int ready();

    /** Counts an event whose handle has left, so that {@link #next} skipped it. */
    protected final void noteStale() {
        stale.add(1);
    }

    final long staleOpaque() {
        return stale.valueOpaque();
    }
}
