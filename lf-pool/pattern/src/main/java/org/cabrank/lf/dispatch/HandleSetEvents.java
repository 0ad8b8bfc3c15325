package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.EventSource;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.StopCheck;
import org.cabrank.lf.leadership.Turn;

/** The part of a handle set that its leader uses. It provides the next event, the wait for further events, and the decision to leave. */
public final class HandleSetEvents extends EventProcessor implements EventSource<HandleState> {
    private final ReadyList readyList;
    private final Parking parking;

    /** Time in ns to spin before a wait in the kernel. With {@link Deadlines#FOREVER} the leader never waits in the kernel. */
    private final long spinNs;

    private final StopCheck stop;

    /** True if a graceful stop has taken the posted list a last time. Later posts do not delay the stop. */
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
     * If the member's time is up, the rest of the ready list is left to the next leader. In a stopping pool there may be no next leader, so
     * the list is finished first. A member always gets at least one handle, even if its time-out is 0.
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

    /** Fills the ready list. Waits in the configured way until there are events or a wake-up, or the deadline has passed. */
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
