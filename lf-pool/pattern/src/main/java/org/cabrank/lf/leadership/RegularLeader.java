package org.cabrank.lf.leadership;

/**
 * The thread that leads a set whenever it can, for sets that prefer one leader. A deputy leads while the regular leader is in a handler,
 * and gives leadership back before its own next wait if the regular leader follows. Invariants:
 * <ol>
 *   <li>The regular leader stays the same until it leaves the pool, however long its handlers run.
 *   <li>The set learns at the beginning of each turn whether the regular leader or a deputy leads, and when each turn of a deputy is over.
 *   <li>A deputy never waits for events while the regular leader follows: when the regular leader lines up, it ends the wait.
 * </ol>
 */
public final class RegularLeader {
    /** Called by each leader. */
    public interface Listener {
        /** Called when a turn begins. {@code regular} is true for the regular leader, false for a deputy. */
        void turnBegins(boolean regular);

        /** Called by a deputy when its turn is over and it holds no claim of the turn. */
        void deputyEnds();
    }

    private final Listener listener;

    /** The regular leader, or null. Written under the lock of this object. */
    private volatile Candidate regular;

    public RegularLeader(Listener listener) {
        this.listener = listener;
    }

    /** Makes the calling thread the regular leader. Returns false if there is a regular leader already. */
    public synchronized boolean appoint(Candidate me) {
        if (regular != null) {
            return false;
        }
        regular = me;
        return true;
    }

    public synchronized void leave(Candidate me) {
        if (regular == me) {
            regular = null;
        }
    }

    public boolean is(Candidate candidate) {
        return regular == candidate;
    }

    void beginTurn(Candidate me) {
        listener.turnBegins(regular == me);
    }

    void endTurn(Candidate me) {
        if (regular != me) {
            listener.deputyEnds();
        }
    }

    /** Called by a leader before it waits. Returns the regular leader if that follows, to give leadership back to; else null. */
    Candidate returnedBeforeWait(Candidate me) {
        Candidate other = regular;
        return other != null && other != me && other.following ? other : null;
    }
}
