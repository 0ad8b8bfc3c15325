package org.cabrank.lf;

import java.time.Duration;
import java.util.List;

/** A pool, its members and its handle sets, as {@link Watched} shows them. */
final class WatchedPool implements Watched {
    private final LeaderFollowersPool pool;
    private final List<HandleSet> sets;
    private final Members members;

    WatchedPool(LeaderFollowersPool pool, List<HandleSet> sets, Members members) {
        this.pool = pool;
        this.sets = sets;
        this.members = members;
    }

    @Override
    public String name() {
        return pool.config().name();
    }

    @Override
    public List<Member> progress() {
        return members.present();
    }

    @Override
    public String describeWork(Progress thread) {
        Member member = (Member) thread;
        for (HandleSet set : sets) {
            Handle held = set.heldBy(member.heldKeyOpaque(), member.threadId);
            if (held != null) {
                return held.toString();
            }
        }
        String concurrent = member.inside.describe();
        return concurrent != null ? concurrent : "a handle that it no longer holds";
    }

    @Override
    public Liveness liveness(Duration limit) {
        return pool.liveness(limit);
    }

    @Override
    public boolean isTerminated() {
        return pool.isTerminated();
    }
}
