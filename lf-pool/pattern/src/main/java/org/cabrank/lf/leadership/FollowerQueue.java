package org.cabrank.lf.leadership;

import java.util.List;

/** The followers in a promotion order. Called with the lock of {@link Followers}, even during a hand-over: must not block or throw. */
public interface FollowerQueue {

    void add(Candidate member);

    void remove(Candidate member);

    Candidate first();

    int size();

    List<Candidate> all();
}
