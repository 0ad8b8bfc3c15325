package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/** Work that a handler has offloaded. Used by the handle's holder. */
public abstract class OffloadedWork {
    long detectedNs = LatencyCounts.UNKNOWN;

    protected OffloadedWork() {}

    protected abstract void resume() throws Exception;

    protected abstract void abandon();
}
