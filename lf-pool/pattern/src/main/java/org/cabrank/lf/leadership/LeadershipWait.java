package org.cabrank.lf.leadership;

/** A follower's wait for leadership: spins for a while, then sleeps until it is woken. */
public final class LeadershipWait {
    public static final long NEVER_SLEEPS = Long.MAX_VALUE;

    private final StopCheck stop;
    private final Followers followers;
    private final Parking parking;
    private final long spinNs;

    public LeadershipWait(StopCheck stop, Followers followers, Parking parking, long spinNs) {
        this.stop = stop;
        this.followers = followers;
        this.parking = parking;
        this.spinNs = spinNs;
    }

    public Turn.Outcome awaitLeadership(Candidate me, long deadlineNs) {
        if (followers.leadOrFollow(me)) {
            return Turn.Outcome.LEADS;
        }
        boolean sleeps = spinNs != NEVER_SLEEPS;
        long spinUntilNs = sleeps && spinNs != 0 ? parking.nanoTime() + spinNs : 0;
        while (!me.promoted) {
            if (me.dismissed) {
                return Turn.Outcome.DISMISSED;
            }
            Turn.Outcome why = mustLeave(me, deadlineNs);
            if (why != null) {
                return leave(me, why);
            }
            if (sleeps && (spinNs == 0 || spinUntilNs - parking.nanoTime() <= 0)) {
                park(me, deadlineNs);
            } else {
                Thread.onSpinWait();
            }
        }
        LeadershipCounts counts = followers.counts();
        counts.handOvers.increment();
        counts.handOverWaitNs.add(parking.nanoTime() - me.promotedNs);
        return Turn.Outcome.LEADS;
    }

    private Turn.Outcome mustLeave(Candidate me, long deadlineNs) {
        if (me.isReplied()) {
            return Turn.Outcome.REPLIED;
        }
        if (Deadlines.isPast(deadlineNs, parking)) {
            return Turn.Outcome.TIMED_OUT;
        }
        return stop.isStopping() ? Turn.Outcome.STOPPED : null;
    }

    private Turn.Outcome leave(Candidate me, Turn.Outcome why) {
        if (!followers.leave(me)) {
            // The member was promoted before it could leave. If the pool stops, it leads to finish the ready list. If
            // its time is up or it has its reply, it passes leadership on.
            if (why == Turn.Outcome.STOPPED) {
                return Turn.Outcome.LEADS;
            }
            followers.handOver(me.leads, 0);
        }
        return why;
    }

    private void park(Candidate me, long deadlineNs) {
        me.asleep = true;
        try {
            parking.park(
                    this,
                    deadlineNs == Deadlines.FOREVER ? Deadlines.FOREVER : Math.max(0, deadlineNs - parking.nanoTime()));
        } finally {
            me.asleep = false;
        }
        me.noteInterrupt(); // an interrupted thread cannot park
    }
}
