package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/** Work that a handler has offloaded. Used by the handle's holder. */
public abstract class OffloadedWork {
    long detectedNs = LatencyCounts.UNKNOWN;

    protected OffloadedWork() {}

    protected abstract void resume() throws Exception;

    /** Drops the result, because the handle is closed before the work has ended. */
    protected abstract void abandon();
}
