package org.cabrank.lf.leadership;

/** Notified after every change of leadership, by the thread that caused the change. */
public interface LeadershipListener {
    LeadershipListener NONE = new LeadershipListener() {};

    default void handedOver(int set, int owner, int eventsBegun, Candidate promoted) {}

    default void handedBack(int set, int owner, Candidate regular) {}

    default void promotedByHandler(int set, int owner, Candidate promoted) {}

    default void deposed(int set, int owner, Candidate successor, long seenNs) {}
}
