package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.EventSource;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.StopCheck;
import org.cabrank.lf.leadership.Turn;

/** A handle set as its leader uses it: the next event, the wait for further events, and the reasons to leave. */
public final class HandleSetEvents extends EventProcessor implements EventSource<HandleState> {
    private final ReadyList readyList;
    private final Parking parking;

    /** Time in ns to spin before waiting in the kernel; {@link Deadlines#FOREVER}: never waits in the kernel. */
    private final long spinNs;

    private final StopCheck stop;

    /** True if a graceful stop has taken the posted list once more, for posts made before the stop. Later posts do not delay the stop. */
    private boolean postedTakenAgain;

    /** True if a graceful stop waits for offloaded work and runs only continuations. */
    private boolean onlyContinuations;

    public HandleSetEvents(Dispatcher set, Parking parking, long spinNs, StopCheck stop) {
        super(set);
        this.readyList = set.newReadyList();
        this.parking = parking;
        this.spinNs = spinNs;
        this.stop = stop;
    }

    /**
     * Called by the leader. Returns the next claimed handle; null if nothing is ready, or if {@code me} must leave. A member whose time is
     * up leaves the ready list to its successor, except in a stopping pool, which may have none. A time-out of 0 is enough for one handle.
     */
    @Override
    public HandleState next(Candidate candidate, long deadlineNs) {
        ProcessingThread me = (ProcessingThread) candidate;
        if (stop.isStoppingNow() || me.isReplied()) {
            return null;
        }
        if (me.hasServed && !stop.isStopping() && Deadlines.isPast(deadlineNs, parking)) {
            return null;
        }
        HandleState handle = onlyContinuations ? readyList.nextContinuation() : readyList.nextClaimed();
        if (handle == null && stop.isStopping() && !postedTakenAgain) {
            postedTakenAgain = true;
            readyList.takePostedAgain();
            handle = readyList.nextClaimed();
        }
        me.detectedNs = readyList.claimedDetectedNs();
        me.hasServed |= handle != null;
        return handle;
    }

    /** Called by the leader after a null {@link #next}. Returns the reason to leave, or null. */
    @Override
    public Turn.Outcome mustLeave(Candidate me, long deadlineNs) {
        if (me.isReplied()) {
            return Turn.Outcome.REPLIED;
        }
        if (stop.isStopping()) {
            if (stop.isStoppingNow() || !readyList.owesContinuations()) {
                return Turn.Outcome.STOPPED;
            }
            onlyContinuations = true;
        }
        return Deadlines.isPast(deadlineNs, parking) ? Turn.Outcome.TIMED_OUT : null;
    }

    /** Called by the leader: fills the ready list. Waits in the configured way, at most until the deadline or a wake-up. */
    @Override
    public void detect(Candidate candidate, long deadlineNs) throws IOException {
        ProcessingThread me = (ProcessingThread) candidate;
        if (spinNs == 0) {
            readyList.detect(remainingNs(deadlineNs));
            return;
        }
        long startNs = parking.nanoTime();
        long mostNs = Math.min(spinNs, remainingNs(deadlineNs));
        do {
            if (readyList.detectWithoutWaiting()) {
                return;
            }
            Thread.onSpinWait();
        } while (!mustNotWait(me) && (mostNs == Deadlines.FOREVER || parking.nanoTime() - startNs < mostNs));
        if (spinNs != Deadlines.FOREVER && !mustNotWait(me)) {
            readyList.detect(remainingNs(deadlineNs));
        }
    }

    private boolean mustNotWait(ProcessingThread me) {
        return me.isReplied() || stop.isStopping() && (!onlyContinuations || !readyList.owesContinuations());
    }

    private long remainingNs(long deadlineNs) {
        return deadlineNs == Deadlines.FOREVER ? Deadlines.FOREVER : Math.max(0, deadlineNs - parking.nanoTime());
    }

    @Override
    public int claimedReady() {
        return readyList.claimedReady();
    }
}
