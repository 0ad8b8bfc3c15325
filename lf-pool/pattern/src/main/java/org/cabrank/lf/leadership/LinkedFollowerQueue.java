package org.cabrank.lf.leadership;

import java.util.ArrayList;
import java.util.List;

/** Followers in the order of their arrival, linked through themselves. */
public final class LinkedFollowerQueue implements FollowerQueue {
    public enum Choice {
        OLDEST,
        NEWEST,
        /** One of the newest few that is not asleep, else the newest. */
        AWAKE
    }

    /** Named bound: how many are looked at for one that is awake. */
    private static final int AWAKE_LOOKS_MAX = 4;

    private final Choice choice;
    private Candidate oldest;
    private Candidate newest;
    private int size;

    public LinkedFollowerQueue(Choice choice) {
        this.choice = choice;
    }

    @Override
    public void add(Candidate member) {
        member.older = newest;
        if (newest == null) {
            oldest = member;
        } else {
            newest.newer = member;
        }
        newest = member;
        size++;
    }

    @Override
    public void remove(Candidate member) {
        if (member.older == null) {
            oldest = member.newer;
        } else {
            member.older.newer = member.newer;
        }
        if (member.newer == null) {
            newest = member.older;
        } else {
            member.newer.older = member.older;
        }
        member.older = null;
        member.newer = null;
        size--;
    }

    @Override
    public Candidate first() {
        return switch (choice) {
            case OLDEST -> oldest;
            case NEWEST -> newest;
            case AWAKE -> awake();
        };
    }

    private Candidate awake() {
        Candidate member = newest;
        for (int looks = 0; member != null && looks < AWAKE_LOOKS_MAX; looks++) {
            if (!member.asleep) {
                return member;
            }
            member = member.older;
        }
        return newest;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public List<Candidate> all() {
        List<Candidate> all = new ArrayList<>(size);
        for (Candidate member = oldest; member != null; member = member.newer) {
            all.add(member);
        }
        return all;
    }
}
