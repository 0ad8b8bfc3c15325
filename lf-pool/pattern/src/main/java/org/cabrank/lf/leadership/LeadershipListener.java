package org.cabrank.lf.leadership;

/** Told of every change of leadership, by the thread that brought it about and after it. */
public interface LeadershipListener {
    LeadershipListener NONE = new LeadershipListener() {};

    /**
     * The owner of the set's word has given it away: to process (it has begun an event), or to leave.
     *
     * @param promoted null: nobody waited
     */
    default void handedOver(int set, int owner, int eventsBegun, Candidate promoted) {}

    /** The owner of the set's word, a deputy, has given it back to the regular leader. */
    default void handedBack(int set, int owner, Candidate regular) {}

    /**
     * The owner's handler has had the word given away.
     *
     * @param promoted null: nobody waited
     */
    default void promotedByHandler(int set, int owner, Candidate promoted) {}

    /**
     * The watcher has given the word of its owner to a follower.
     *
     * @param seenNs for how long the watcher has seen the event in progress
     */
    default void deposed(int set, int owner, Candidate successor, long seenNs) {}
}
