package org.cabrank.lf.leadership;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.cabrank.lf.failure.FailureLog;

/** Followers in the order of their priority, in a binary heap. Followers of equal priority are in the order of their arrival. */
public final class PriorityFollowerQueue implements FollowerQueue {
    private final Comparator<? super Thread> comparator;
    private final FailureLog failures;

    /** Memory is needed only when a follower is added, so a hand-over never fails for lack of memory. */
    private final PriorityQueue<Candidate> heap = new PriorityQueue<>(this::compare);

    private long arrivals;

    public PriorityFollowerQueue(Comparator<? super Thread> comparator, FailureLog failures) {
        this.comparator = comparator;
        this.failures = failures;
    }

    private int compare(Candidate one, Candidate other) {
        int byPriority = 0;
        try {
            byPriority = comparator.compare(one.thread, other.thread);
        } catch (Throwable failure) { // even an error: an exception during a hand-over would lose leadership
            failures.log("the comparator of the promotion order failed, arrival decides", failure);
        }
        return byPriority != 0 ? byPriority : Long.compare(one.arrival, other.arrival);
    }

    @Override
    public void add(Candidate member) {
        member.arrival = arrivals++;
        heap.add(member);
    }

    @Override
    public void remove(Candidate member) {
        heap.remove(member);
    }

    @Override
    public Candidate first() {
        return heap.peek();
    }

    @Override
    public int size() {
        return heap.size();
    }

    @Override
    public List<Candidate> all() {
        return List.copyOf(heap);
    }
}
