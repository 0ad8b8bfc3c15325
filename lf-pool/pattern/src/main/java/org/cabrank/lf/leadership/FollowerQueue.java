package org.cabrank.lf.leadership;

import java.util.List;

/**
 * The followers in a promotion order. The methods are called with the lock of {@link Followers}, some of them amid a hand-over of
 * leadership: they must not block, and must not throw.
 */
public interface FollowerQueue {

    void add(Candidate member);

    void remove(Candidate member);

    Candidate first();

    int size();

    List<Candidate> all();
}
