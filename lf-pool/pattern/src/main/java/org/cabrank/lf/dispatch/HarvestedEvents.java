package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.counting.Counter;

/** The part of {@code org.cabrank.lf.handle.Harvest} that dispatch uses. */
public abstract class HarvestedEvents {
    private final Counter stale = new Counter();

    protected HarvestedEvents() {}

    protected abstract int await(long timeoutNs) throws IOException;

    protected abstract HandleState next();

    protected abstract int ready();

    protected final void noteStale() {
        stale.add(1);
    }

    final long staleOpaque() {
        return stale.valueOpaque();
    }
}
