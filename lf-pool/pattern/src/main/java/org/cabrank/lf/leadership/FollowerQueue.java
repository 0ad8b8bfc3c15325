package org.cabrank.lf.leadership;

import java.util.List;

/** The followers in a promotion order. All calls are under the lock of {@link Followers}. No method may block or throw. */
public interface FollowerQueue {

    void add(Candidate member);

    void remove(Candidate member);

    Candidate first();

    int size();

    List<Candidate> all();
}
