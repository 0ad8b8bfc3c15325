package org.cabrank.lf.leadership;

/**
 * The thread that leads whenever it can, in a set that prefers one leader. While this regular leader is in a handler, a deputy leads. If
 * the regular leader follows again, the deputy gives leadership back before it waits for events. Invariants:
 * <ol>
 *   <li>The regular leader stays the same until it leaves the pool, even if its handlers run long.
 *   <li>The set is notified when the turn of a regular leader or deputy begins, and when the turn of a deputy is over.
 *   <li>When the regular leader begins to follow, it ends the deputy's wait. So a deputy never waits while the regular leader follows.
 * </ol>
 */
public final class RegularLeader {
    /** Called by each leader. */
    public interface Listener {
        void turnBegins(boolean regular);

        void deputyEnds();
    }

    private final Listener listener;

    /** The regular leader, or null. Written under the lock of this object. */
    private volatile Candidate regular;

    public RegularLeader(Listener listener) {
        this.listener = listener;
    }

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

    /** Returns the regular leader if {@code me} is its deputy and the regular leader follows again. Otherwise returns null. */
    Candidate returnedBeforeWait(Candidate me) {
        Candidate other = regular;
        return other != null && other != me && other.following ? other : null;
    }
}
