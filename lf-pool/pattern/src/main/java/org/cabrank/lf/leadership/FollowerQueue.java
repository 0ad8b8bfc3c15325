package org.cabrank.lf.leadership;

import java.util.List;

/** The followers in a promotion order. Guarded by the lock of {@link Followers}. */
public interface FollowerQueue {

    void add(Candidate member);

    void remove(Candidate member);

    /** Returns the follower that is promoted next; null: nobody waits. */
    Candidate first();

    /** Returns true if {@code arrived}, which was added last, has to stand by in the place of who does. */
    boolean overtakesStandby(Candidate arrived);

    int size();

    List<Candidate> all();
}
