package org.cabrank.lf.leadership;

/**
 * The thread that leads a set whenever it can, for sets that prefer one leader. A thread that
 * leads while a handler keeps the regular leader is a deputy. Before each wait a deputy gives leadership back if the regular leader
 * follows. A deputy becomes the regular leader when the other has been away for {@link #ABSENCE_MAX_NS}.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Only the leader of the set reads and writes the fields, and the {@link LeadershipWord} publishes them to the next leader.
 *   <li>The set hears of each regular leader before that thread's first wait as such.
 *   <li>A deputy never waits for events while the regular leader follows, except for a wait that began before.
 * </ol>
 */
public final class RegularLeader {
    /** Notified by each leader before its first wait. */
    public interface Listener {
        /** @param regular true: the caller leads from now on whenever it can; false: until the regular leader is back */
        void turnBegins(boolean regular);
    }

    /**
     * Named bound: absence after which the regular leader is replaced. Longer than handlers that are slow now and then, because a
     * replacement makes the set take over all requests.
     */
    public static final long ABSENCE_MAX_NS = 50_000_000;

    private final Listener listener;
    private final Parking parking;
    private Candidate regular;
    private boolean away;
    private long awaySinceNs;

    public RegularLeader(Listener listener, Parking parking) {
        this.listener = listener;
        this.parking = parking;
    }

    /** Leader, at the beginning of its turn. */
    void beginTurn(Candidate me) {
        if (regular == null || regular == me) {
            lead(me);
            return;
        }
        if (!away) {
            away = true;
            awaySinceNs = parking.nanoTime();
        }
        listener.turnBegins(false);
    }

    private void lead(Candidate me) {
        regular = me;
        away = false;
        listener.turnBegins(true);
    }

    /** Leader, when it leaves the pool: its successor need not stand in for it. */
    void leave(Candidate me) {
        if (regular == me) {
            regular = null;
        }
    }

    /**
     * Called by the leader before it waits. Returns the regular leader if it follows, because leadership goes back to it; else null.
     * Makes the caller the regular leader if the other has been away for long.
     */
    Candidate returnedBeforeWait(Candidate me) {
        if (regular == me) {
            return null;
        }
        if (regular.following) {
            return regular;
        }
        if (parking.nanoTime() - awaySinceNs >= ABSENCE_MAX_NS) {
            lead(me);
        }
        return null;
    }
}
