package org.cabrank.lf;

import java.io.IOException;

/**
 * How one watcher of a handle set waits, and what its last wait has brought. Made by {@link HandleSet#newHarvest}.
 *
 * <p>A set that is led has one, which its leaders hand on with leadership; a set in which every thread waits
 * ({@link Promotion#kernel}) has one for each thread. So it is never used by two threads at once and needs no lock.
 */
public abstract class Harvest {
    /** For reactors. */
    protected Harvest() {}

    /**
     * Waits for events and replaces the (exhausted) harvest by them. An interrupted wait is an empty harvest.
     *
     * @param timeoutNs not negative; 0: does not wait; {@link HandleSet#FOREVER}. A reactor that cannot wait so exactly
     *     rounds it up, so that no timer is found to be early
     * @return the number of events harvested
     * @throws IOException when the set cannot be watched any more; the pool fails
     */
    protected abstract int await(long timeoutNs) throws IOException;

    /** Moves to the next event; false: the harvest is exhausted. */
    protected abstract boolean next();

    /** The {@link Handle#key} of the present event. */
    protected abstract long key();

    /** The {@link Ready} bits of the present event. */
    protected abstract int ready();
}
