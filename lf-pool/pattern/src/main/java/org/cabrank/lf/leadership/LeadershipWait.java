package org.cabrank.lf.leadership;

import java.util.function.IntFunction;

/** The wait of a follower for leadership; under deferred promotion one follower is the standby that watches the leader. */
public final class LeadershipWait {
    /**
     * Named bound: looks at an idle leader after which the standby sleeps without a timer. Fewer, and light traffic
     * costs a wake-up for every event; more, and an idle pool ticks for longer.
     */
    public static final int IDLE_LOOKS_MAX = 16;

    /** Looks in a row at which each leader was at another event than before, after which leaders count as busy. */
    public static final int BUSY_LOOKS = 4;

    private final StopCheck stop;
    private final IntFunction<? extends Candidate> byId;
    private final LeadershipWord[] words;
    private final Followers followers;
    private final Parking parking;
    private final Pace pace;
    private final EarlyPromotion[] early;

    private final Alert alert;

    /** The leader that was deposed last was blocked inside a system call, of which Java knows nothing: only the kernel tells. */
    private volatile boolean blocksInKernel;

    /**
     * @param byId the thread that has this number now, or null
     * @param early indexed by set
     * @param alert of these leaders
     */
    public LeadershipWait(
            StopCheck stop,
            IntFunction<? extends Candidate> byId,
            LeadershipWord[] words,
            Followers followers,
            Parking parking,
            Pace pace,
            EarlyPromotion[] early,
            Alert alert) {
        this.stop = stop;
        this.byId = byId;
        this.words = words;
        this.followers = followers;
        this.parking = parking;
        this.pace = pace;
        this.early = early;
        this.alert = alert;
    }

    /** Takes a vacant leadership at once, else waits for it. */
    public Turn.Outcome awaitLeadership(Candidate me, long deadlineNs) {
        if (followers.leadOrFollow(me)) {
            return Turn.Outcome.LEADS;
        }
        long spinUntilNs = pace.spinNs() == 0 || pace.neverBlocks() ? 0 : parking.nanoTime() + pace.spinNs();
        while (!me.promoted) {
            if (me.dismissed) {
                return Turn.Outcome.DISMISSED;
            }
            Turn.Outcome why = mustLeave(me, deadlineNs);
            if (why != null) {
                return leave(me, why);
            }
            if (followers.isStandby(me)) {
                if (look(me, deadlineNs)) {
                    return Turn.Outcome.LEADS;
                }
            } else if (pace.neverBlocks() || spinUntilNs != 0 && spinUntilNs - parking.nanoTime() > 0) {
                Thread.onSpinWait();
            } else {
                park(me, deadlineNs, Deadlines.FOREVER);
            }
        }
        LeadershipCounts counts = followers.counts();
        counts.add(counts.handOvers, 1);
        counts.add(counts.handOverWaitNs, parking.nanoTime() - me.promotedNs);
        return Turn.Outcome.LEADS;
    }

    private Turn.Outcome mustLeave(Candidate me, long deadlineNs) {
        if (me.isReplied()) {
            return Turn.Outcome.REPLIED;
        }
        if (Deadlines.isPast(deadlineNs, parking.nanoTime())) {
            return Turn.Outcome.TIMED_OUT;
        }
        return stop.isStopping() ? Turn.Outcome.STOPPED : null;
    }

    private Turn.Outcome leave(Candidate me, Turn.Outcome why) {
        if (!followers.leave(me)) {
            // Promoted at the last moment. A stopping pool still wants its ready list finished: lead. A member whose
            // time is up, or that has its reply, passes leadership on.
            if (why == Turn.Outcome.STOPPED) {
                return Turn.Outcome.LEADS;
            }
            followers.handOver(me.leads, 0);
        }
        return why;
    }

    /** The standby's pause and look; true: it has taken over. */
    private boolean look(Candidate me, long deadlineNs) {
        long nowNs = parking.nanoTime();
        long restNs = me.view.lookedNs() + pauseNs(me, nowNs) - nowNs;
        if (restNs > 0 && !alert.isHinted(words[0].wordAcquire())) {
            if (pace.neverBlocks()) {
                Thread.onSpinWait();
            } else {
                park(me, deadlineNs, restNs);
            }
            return false;
        }
        me.view.looked(nowNs);
        boolean allWaiting = true;
        boolean allBusy = true;
        for (int set = 0; set < words.length; set++) {
            long seen = words[set].wordAcquire();
            boolean same = me.view.sawBefore(set, seen);
            boolean processing = LeadershipWord.phase(seen) == LeadershipWord.PROCESSING;
            boolean hinted = processing && alert.isHinted(seen);
            if (hinted || processing && (same ? !isSpared(me, set, seen, nowNs) : isSeenWaiting(seen, nowNs))) {
                boolean blocked = hinted || isBlocked(seen); // asked before the takeover, which wakes the next standby
                if (blocked) {
                    blocksInKernel = hinted ? blocksInKernel : !isWaiting(seen);
                    alert.extend(nowNs);
                }
                if (followers.depose(me, set, seen)) {
                    if (blocked) {
                        early[set].noteTakeover(seen);
                    }
                    return true;
                }
            }
            boolean waits = LeadershipWord.phase(seen) == LeadershipWord.DETECTING;
            allWaiting &= same && waits;
            allBusy &= !waits && !same;
        }
        me.view.busy(allBusy);
        if (me.view.idle(allWaiting) >= IDLE_LOOKS_MAX && !pace.neverBlocks()) {
            followers.sleepAsStandby(me, remainingNs(deadlineNs), stop);
            me.noteInterrupt();
            me.view.forget(parking.nanoTime());
        }
        return false;
    }

    /**
     * Leaders that never wait have no processor time to spare for looks, and requests queue anyway: an alert standby then looks half as
     * often. It also does where an idle watcher watches, whose hints mostly come before the look.
     */
    private long pauseNs(Candidate me, long nowNs) {
        if (!alert.isOn(nowNs)) {
            return pace.lookNs();
        }
        boolean often = me.view.busyLooks() < BUSY_LOOKS && !alert.isWatched();
        return often ? pace.alertLookNs() : Math.min(2 * pace.alertLookNs(), pace.lookNs());
    }

    /**
     * Between looks that come soon after one another a leader that only waits for a processor, or uses it, is left its time: it
     * may have been preempted, perhaps by the standby itself, and another thread would fare no better.
     */
    private boolean isSpared(Candidate me, int set, long seen, long nowNs) {
        if (!alert.isOn(nowNs) || me.view.seenForNs(set) >= pace.lookNs()) {
            return false;
        }
        Candidate leader = leader(seen);
        return leader != null && !parking.isBlocked(leader);
    }

    /**
     * One look is enough, soon after a takeover, where the leader's handler sleeps: it has not just been preempted. The kernel, which
     * takes some microseconds to answer, is asked where handlers block in system calls.
     */
    private boolean isSeenWaiting(long seen, long nowNs) {
        Candidate leader = alert.isOn(nowNs) ? leader(seen) : null;
        return leader != null && (parking.isWaiting(leader) || blocksInKernel && parking.isBlocked(leader));
    }

    private boolean isWaiting(long seen) {
        Candidate leader = leader(seen);
        return leader != null && parking.isWaiting(leader);
    }

    /**
     * True also where nothing can be asked of the leader. A leader that computes, or waits for a processor, is no reason to look more
     * often: such a leader is spared at the looks that come soon after one another, and where processors are scarce each look takes
     * time from the threads that it looks at.
     */
    private boolean isBlocked(long seen) {
        Candidate leader = leader(seen);
        return leader == null || parking.isBlocked(leader);
    }

    /** Null where nothing can be asked of it. */
    private Candidate leader(long word) {
        Candidate leader = byId.apply(LeadershipWord.owner(word));
        return leader == null || leader.thread == null ? null : leader;
    }

    private void park(Candidate me, long deadlineNs, long atMostNs) {
        me.asleep = true;
        try {
            parking.park(this, Math.min(remainingNs(deadlineNs), atMostNs));
        } finally {
            me.asleep = false;
        }
        me.noteInterrupt(); // an interrupted thread cannot park
    }

    private long remainingNs(long deadlineNs) {
        return deadlineNs == Deadlines.FOREVER ? Deadlines.FOREVER : Math.max(0, deadlineNs - parking.nanoTime());
    }
}
