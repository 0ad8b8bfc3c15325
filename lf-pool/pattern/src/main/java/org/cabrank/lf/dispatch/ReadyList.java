package org.cabrank.lf.dispatch;

import java.io.IOException;
import org.cabrank.lf.counting.Counter;
import org.cabrank.lf.counting.LatencyCounts;

/**
 * The ready events of a handle set, for the watcher: the harvest of the last wait, and the handles that were posted.
 *
 * <p>Under leadership there is one for a set, and successive leaders take from it where their predecessors stopped;
 * leadership orders their memory accesses, so it needs no lock. Where every thread watches, each has its own.
 */
final class ReadyList {
    private final Dispatcher set;
    private final HarvestedEvents harvest;
    private final SlotTable slots;
    private final TimerHeap timers;
    private final PostedHandles posted;

    /** The pool has one thread, so a claim need not be marked. */
    private final boolean alone;

    /** Other threads watch the set at the same time. */
    private final boolean shared;

    /** Somebody wants to know how long events take. */
    private final boolean timed;

    private final Counter detected = new Counter();
    private final Counter staleEvents = new Counter();
    private final Counter claimedAndMore = new Counter();

    private int claimedReady;

    /** Time at which the wait ended that returned the current harvest; unknown unless latency is measured or recorded. */
    private long detectedNs = LatencyCounts.UNKNOWN;

    /** The same of the handle that was claimed last; unknown where it was posted. */
    private long claimedDetectedNs = LatencyCounts.UNKNOWN;

    /**
     * True if the posted handles have been taken since the last call of the kernel. Later posts wait until the kernel
     * has been called again, because a handle that posts to itself endlessly must not hide the events of other handles.
     */
    private boolean postedTaken;

    ReadyList(Dispatcher set, HarvestedEvents harvest, SlotTable slots, TimerHeap timers, PostedHandles posted) {
        this.set = set;
        this.harvest = harvest;
        this.slots = slots;
        this.timers = timers;
        this.posted = posted;
        this.alone = set.isServedByOneThread();
        this.shared = set.isWatchedByAll();
        this.timed = set.isTimed();
    }

    /** Waits for events, at most until the next timer. */
    void detect(long timeoutNs) throws IOException {
        set.makeUpForPosts();
        long waitNs = timeoutNs;
        long timerNs = timers.earliestNs();
        if (timerNs != Dispatcher.NO_DEADLINE) {
            waitNs = Math.min(waitNs, Math.max(0, timerNs - set.backend.nanoTime()));
        }
        if (waitNs > 0 && (!posted.isEmpty() || !set.mayWait())) {
            waitNs = 0; // somebody has posted since the last wait: look at once
        }
        postedTaken = false;
        Object timing = WaitTiming.begin(set);
        try {
            int events = harvest.await(waitNs);
            if (events > 0) {
                noteDetected(events);
                if (timing != null) {
                    WaitTiming.end(timing, set, events);
                }
            }
        } finally {
            set.hasWaited();
        }
        if (timers.earliestNs() != Dispatcher.NO_DEADLINE) {
            expireTimers();
        }
    }

    /** Looks once; returns true if something is ready. Called by a thread that spins. */
    boolean detectWithoutWaiting() throws IOException {
        set.makeUpForPosts();
        postedTaken = false;
        Object timing = WaitTiming.begin(set);
        int events = harvest.await(0);
        if (events > 0) {
            noteDetected(events);
            if (timing != null) {
                WaitTiming.end(timing, set, events);
            }
        }
        if (timers.earliestNs() != Dispatcher.NO_DEADLINE) {
            expireTimers();
        }
        return events > 0 || !posted.isEmpty();
    }

    private void noteDetected(int events) {
        detected.add(events);
        detectedNs = timed ? set.backend.nanoTime() : WaitTiming.detectedNs(set);
    }

    /** Expires due timers, up to a bound. Further due timers follow after the next call of the kernel, which does not wait. */
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

    /** Claims the next handle that is ready, whose bits are then in {@link #claimedReady}; null: none. */
    HandleState nextClaimed() {
        for (HandleState handle = harvest.next(); handle != null; handle = harvest.next()) {
            int ready = alone ? handle.claimAlone(harvest.ready()) : handle.claim(harvest.ready());
            if (ready != 0) {
                claimedReady = ready;
                claimedDetectedNs = detectedNs;
                if (shared && timers.earliestNs() != Dispatcher.NO_DEADLINE) {
                    set.wakeup(); // other threads may have begun to wait before there was a timer, and this thread
                    // is busy
                }
                return handle;
            }
            (handle.isClosedState() ? staleEvents : claimedAndMore).add(1);
        }
        claimedDetectedNs = LatencyCounts.UNKNOWN;
        if (shared) {
            return nextPostedShared();
        }
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

    /** The watcher leaves, and this list is its own: what it has harvested and not claimed is posted for the other watchers. */
    void handOverRest() {
        for (HandleState handle = harvest.next(); handle != null; handle = harvest.next()) {
            if (handle.notePosted(harvest.ready())) {
                posted.push(handle);
            }
        }
    }

    /**
     * While a stopping pool waits for offloaded work: the next handle that has a continuation to run, or is to be closed; null:
     * none. Events that have been detected since the stop are dropped. Other posts are kept for the last thread.
     */
    HandleState nextContinuation() {
        claimedDetectedNs = LatencyCounts.UNKNOWN;
        HandleState detectedLate = harvest.next();
        while (detectedLate != null) {
            detectedLate = harvest.next();
        }
        if (!shared) {
            posted.takeArrived();
        }
        HandleState handle = nextPosted();
        while (handle != null) {
            int ready = handle.claimPosted(ReadyBits.WHEN_DETAINED);
            if (ready == ClaimState.KEPT) {
                set.keepForLast(handle);
            } else if (ready != 0) {
                claimedReady = ready;
                return handle;
            }
            handle = nextPosted();
        }
        return null;
    }

    private HandleState nextPosted() {
        return shared ? posted.pollShared() : posted.poll();
    }

    /** Returns true if offloaded work is under way whose continuations must still run. */
    boolean owesContinuations() {
        return set.offloads().isOwed();
    }

    /**
     * Takes one posted handle at a time, so that the other posted handles do not wait for this thread. A thread that leaves posted
     * handles behind wakes another thread up.
     */
    private HandleState nextPostedShared() {
        if (postedTaken || posted.isEmpty()) {
            return null;
        }
        postedTaken = true;
        for (HandleState handle = posted.pollShared(); handle != null; handle = posted.pollShared()) {
            int ready = handle.claimPosted();
            if (ready != 0) {
                claimedReady = ready;
                if (!posted.isEmpty() || timers.earliestNs() != Dispatcher.NO_DEADLINE) {
                    set.wakeup();
                }
                return handle;
            }
        }
        return null;
    }

    /** {@link #nextClaimed} may take once more what was posted, though nothing is detected in between. */
    void takePostedAgain() {
        postedTaken = false;
    }

    /** Maximum number of calls of {@link #takePostedAgain} for all current posts. */
    int takesOfAllPostedMax() {
        return shared ? slots.live() : 1; // one handle at a time, each of which is posted once; else all of them
    }

    /** The ready bits of the handle that was claimed last. */
    int claimedReady() {
        return claimedReady;
    }

    /** Time at which the kernel reported it; {@link LatencyCounts#UNKNOWN} if it was posted, or latency is neither measured nor recorded. */
    long claimedDetectedNs() {
        return claimedDetectedNs;
    }

    /** Events that the kernel has reported. */
    long detectedOpaque() {
        return detected.valueOpaque();
    }

    /** Events of handles that had left. */
    long staleEventsOpaque() {
        return staleEvents.valueOpaque() + harvest.staleOpaque();
    }

    /** Events that were noted for the thread that had the claim. */
    long claimedAndMoreOpaque() {
        return claimedAndMore.valueOpaque();
    }
}
