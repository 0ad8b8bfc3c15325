package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.counting.Counter;
import org.cabrank.lf.counting.LatencyCounts;

/**
 * The ready events of a handle set. They are the harvest of the last wait and the posted handles. Each leader continues where the previous
 * leader has stopped. The hand-over of leadership orders the memory accesses of the leaders, so the list needs no lock.
 */
final class ReadyList {
    private final Dispatcher set;
    private final HarvestedEvents harvest;
    private final TimerHeap timers;
    private final PostedHandles posted;

    /** True in a pool of one thread, which need not mark its claims. */
    private final boolean alone;

    private final boolean timed;

    private final Counter detected = new Counter();
    private final Counter staleEvents = new Counter();
    private final Counter claimedAndMore = new Counter();

    private int claimedReady;

    /** Time when the wait for the harvest ended. It is only known if latency is measured or recorded. */
    private long detectedNs = LatencyCounts.UNKNOWN;

    /** Detection time of the last claimed handle, or {@code UNKNOWN} if the handle was posted. */
    private long claimedDetectedNs = LatencyCounts.UNKNOWN;

    /** True if posts were taken since the last call of the kernel. Later posts wait for the next call, so they do not delay its events. */
    private boolean postedTaken;

    ReadyList(Dispatcher set, HarvestedEvents harvest, TimerHeap timers, PostedHandles posted) {
        this.set = set;
        this.harvest = harvest;
        this.timers = timers;
        this.posted = posted;
        this.alone = set.isServedByOneThread();
        this.timed = set.isTimed();
    }

    void detect(long timeoutNs) throws IOException {
        long waitNs = timeoutNs;
        long timerNs = timers.earliestNs();
        if (timerNs != Dispatcher.NO_DEADLINE) {
            waitNs = Math.min(waitNs, Math.max(0, timerNs - set.backend.nanoTime()));
        }
        if (waitNs > 0 && (!posted.isEmpty() || !set.mayWait())) {
            waitNs = 0; // there is a post, or a wake-up since the last wait: check without waiting
        }
        postedTaken = false;
        Object timing = Timings.beginWait(set);
        try {
            int events = harvest.await(waitNs);
            if (events > 0) {
                noteDetected(events);
                if (timing != null) {
                    Timings.endWait(timing, set, events);
                }
            }
        } finally {
            set.hasWaited();
        }
        if (timers.earliestNs() != Dispatcher.NO_DEADLINE) {
            expireTimers();
        }
    }

    boolean detectWithoutWaiting() throws IOException {
        postedTaken = false;
        Object timing = Timings.beginWait(set);
        int events = harvest.await(0);
        if (events > 0) {
            noteDetected(events);
            if (timing != null) {
                Timings.endWait(timing, set, events);
            }
        }
        if (timers.earliestNs() != Dispatcher.NO_DEADLINE) {
            expireTimers();
        }
        return events > 0 || !posted.isEmpty();
    }

    private void noteDetected(int events) {
        detected.add(events);
        detectedNs = timed ? set.backend.nanoTime() : Timings.detectedNs(set);
    }

    /** Expires at most {@link Dispatcher#EXPIRED_MAX} due timers. The rest follow after a call of the kernel that does not wait. */
    private void expireTimers() {
        long nowNs = set.backend.nanoTime();
        for (int expired = 0; expired < Dispatcher.EXPIRED_MAX; expired++) {
            HandleState handle = timers.takeExpired(nowNs);
            if (handle == null) {
                return;
            }
            if (handle.notePosted(ReadyBits.TIMER)) {
                posted.push(handle);
            }
        }
    }

    HandleState nextClaimed() {
        for (HandleState handle = harvest.next(); handle != null; handle = harvest.next()) {
            int ready = alone ? handle.claimAlone(harvest.ready()) : handle.claim(harvest.ready());
            if (ready != 0) {
                claimedReady = ready;
                claimedDetectedNs = detectedNs;
                return handle;
            }
            (handle.isClosedState() ? staleEvents : claimedAndMore).add(1);
        }
        claimedDetectedNs = LatencyCounts.UNKNOWN;
        if (!postedTaken) {
            posted.takeArrived();
            postedTaken = true;
        }
        for (HandleState handle = posted.poll(); handle != null; handle = posted.poll()) {
            int ready = handle.claimPosted();
            if (ready != 0) {
                claimedReady = ready;
                return handle;
            }
        }
        return null;
    }

    /** Returns the next handle that has a continuation or must be closed. Drops other events, and keeps other posts for the last thread. */
    HandleState nextContinuation() {
        claimedDetectedNs = LatencyCounts.UNKNOWN;
        HandleState detectedLate = harvest.next();
        while (detectedLate != null) {
            detectedLate = harvest.next();
        }
        posted.takeArrived();
        for (HandleState handle = posted.poll(); handle != null; handle = posted.poll()) {
            int ready = handle.claimPosted(ReadyBits.WHEN_DETAINED);
            if (ready == ClaimState.KEPT) {
                set.keepForLast(handle);
            } else if (ready != 0) {
                claimedReady = ready;
                return handle;
            }
        }
        return null;
    }

    boolean owesContinuations() {
        return set.offloads().hasUnfinished();
    }

    void takePostedAgain() {
        postedTaken = false;
    }

    int claimedReady() {
        return claimedReady;
    }

    long claimedDetectedNs() {
        return claimedDetectedNs;
    }

    long detectedOpaque() {
        return detected.valueOpaque();
    }

    long staleEventsOpaque() {
        return staleEvents.valueOpaque() + harvest.staleOpaque();
    }

    long claimedAndMoreOpaque() {
        return claimedAndMore.valueOpaque();
    }
}
