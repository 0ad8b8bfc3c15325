package org.cabrank.lf.leadership;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/** Followers in the order of their arrival. */
public final class ArrivalQueue implements FollowerQueue {
    /** The choice of the follower that is promoted. */
    public enum Choice {
        OLDEST,
        NEWEST,
        /** The newest awake follower among the {@link #AWAKE_LOOKS_MAX} newest. If none is awake, the newest follower. */
        AWAKE
    }

    private static final int AWAKE_LOOKS_MAX = 4;

    private final Choice choice;

    /** The oldest is first. Memory is needed only when a follower is added, so a hand-over never fails for lack of memory. */
    private final ArrayDeque<Candidate> line = new ArrayDeque<>();

    public ArrivalQueue(Choice choice) {
        this.choice = choice;
    }

    @Override
    public void add(Candidate member) {
        line.addLast(member);
    }

    @Override
    public void remove(Candidate member) {
        if (line.peekFirst() == member) {
            line.removeFirst();
        } else {
            line.removeLastOccurrence(member);
        }
    }

    @Override
    public Candidate first() {
        return switch (choice) {
            case OLDEST -> line.peekFirst();
            case NEWEST -> line.peekLast();
            case AWAKE -> awake();
        };
    }

    private Candidate awake() {
        Iterator<Candidate> newestFirst = line.descendingIterator();
        for (int looks = 0; looks < AWAKE_LOOKS_MAX && newestFirst.hasNext(); looks++) {
            Candidate member = newestFirst.next();
            if (!member.asleep) {
                return member;
            }
        }
        return line.peekLast();
    }

    @Override
    public int size() {
        return line.size();
    }

    @Override
    public List<Candidate> all() {
        return List.copyOf(line);
    }
}
