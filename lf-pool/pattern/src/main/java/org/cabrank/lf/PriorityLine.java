package org.cabrank.lf;

import org.cabrank.lf.failure.FailureLog;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Followers by priority, and by arrival among equals: a binary heap. */
final class PriorityLine implements Line {
    private final Comparator<? super Thread> comparator;
    private final FailureLog failures;

    /** Grows only when a member lines up, and is unchanged if there is no memory for that. */
    private final PriorityQueue<Member> heap = new PriorityQueue<>(this::compare);

    private long arrivals;

    PriorityLine(Comparator<? super Thread> comparator, FailureLog failures) {
        this.comparator = comparator;
        this.failures = failures;
    }

    private int compare(Member one, Member other) {
        int byPriority = 0;
        try {
            byPriority = comparator.compare(one.thread, other.thread);
        } catch (Throwable failure) { // even an error: in the midst of a hand-over leadership would be lost
            failures.log("the comparator of the promotion order failed, arrival decides", failure);
        }
        return byPriority != 0 ? byPriority : Long.compare(one.arrival, other.arrival);
    }

    @Override
    public void add(Member member) {
        member.arrival = arrivals++;
        heap.add(member);
    }

    @Override
    public void remove(Member member) {
        heap.remove(member);
    }

    @Override
    public Member first() {
        return heap.peek();
    }

    @Override
    public boolean overtakesStandby(Member arrived) {
        return heap.peek() == arrived;
    }

    @Override
    public int size() {
        return heap.size();
    }

    @Override
    public List<Member> all() {
        return List.copyOf(heap);
    }
}
