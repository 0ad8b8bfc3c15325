package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/** Work that a handler has handed to an executor. Used by the holder of the handle's claim. */
public abstract class OffloadedWork {
    long detectedNs = LatencyCounts.UNKNOWN;

    protected OffloadedWork() {}

    protected abstract void resume() throws Exception;

    /** The handle is closed before the work has ended: drops the result. */
    protected abstract void abandon();
}
