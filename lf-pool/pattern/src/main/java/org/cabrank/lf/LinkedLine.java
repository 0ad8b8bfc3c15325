package org.cabrank.lf;

import java.util.ArrayList;
import java.util.List;

/** Followers in the order of their arrival, linked through themselves. */
final class LinkedLine implements Line {
    /** Who is promoted. */
    enum Choice {
        OLDEST,
        NEWEST,
        /** Of the newest few one that is not asleep, else the newest. */
        AWAKE
    }

    /** Named bound: how many are looked at for one that is awake. */
    private static final int AWAKE_LOOKS_MAX = 4;

    private final Choice choice;
    private Member oldest;
    private Member newest;
    private int size;

    LinkedLine(Choice choice) {
        this.choice = choice;
    }

    @Override
    public void add(Member member) {
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
    public void remove(Member member) {
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
    public Member first() {
        return switch (choice) {
            case OLDEST -> oldest;
            case NEWEST -> newest;
            case AWAKE -> awake();
        };
    }

    private Member awake() {
        Member member = newest;
        for (int looks = 0; member != null && looks < AWAKE_LOOKS_MAX; looks++) {
            if (!member.asleep) {
                return member;
            }
            member = member.older;
        }
        return newest;
    }

    /** The oldest stands by already; and the newest would do so at every arrival, for nothing. */
    @Override
    public boolean overtakesStandby(Member arrived) {
        return false;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public List<Member> all() {
        List<Member> all = new ArrayList<>(size);
        for (Member member = oldest; member != null; member = member.newer) {
            all.add(member);
        }
        return all;
    }
}
