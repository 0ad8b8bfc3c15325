package org.cabrank.lf.dispatch;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The methods of a handle set that dispatch calls. The subclass {@code HandleSet} documents them. */
public abstract class BackendCalls<H extends HandleState> {
    protected BackendCalls() {}

    public abstract long nanoTime();

    protected abstract HarvestedEvents newHarvest();

    protected abstract void interruptAwait();

    protected abstract void rearm(H handle) throws IOException;

    protected abstract void closeDescriptor(H handle);

    protected abstract void submitRequests();

    protected abstract BooleanSupplier newThreadProbe();

    protected void requireServable(int threads, boolean eager) {}

    protected boolean prefersOneLeader() {
        return false;
    }

    protected void turnBegins(boolean regular) {}

    protected void deputyEnds() {}

    protected void threadBegins() {}

    protected void watcherBegins() {}

    protected void lastWatcherLeaves() {}
}
