package org.cabrank.lf.dispatch;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.leadership.Candidate;

/** Runs the handler of a claimed handle in rounds, and releases the claim. Concurrent handles go to the {@link ConcurrentProcessor}. */
public abstract class EventProcessor {
    private final Dispatcher set;
    private final boolean oneshot;
    private final ConcurrentProcessor concurrent;

    EventProcessor(Dispatcher set) {
        this.concurrent = new ConcurrentProcessor(set);
        this.set = set;
        this.oneshot = set.oneshot;
    }

    /** Called by the claim holder. When this returns or throws, the claim has been released. */
    public final void process(Candidate candidate, HandleState handle, int claimedReady) {
        ProcessingThread me = (ProcessingThread) candidate;
        if (handle.isConcurrentState()) {
            concurrent.process(me, handle, claimedReady);
            return;
        }
        LatencyCounts latency = me.latency;
        long detectedNs = me.detectedNs; // saved: if a handler waits for a reply, this thread processes other events
        int ready = claimedReady;
        for (int round = 1; ready != 0; round++) {
            handle.holderId(me.threadId);
            me.hold(handle);
            me.noteInterrupt(); // an earlier interrupt is not meant for this handler
            try {
                Object timing = Timings.beginHandler(set, round == 1 ? detectedNs : LatencyCounts.UNKNOWN);
                dispatch(me, handle, ready);
                if (timing != null) {
                    Timings.endHandler(timing, set, handle, ready);
                }
                me.counts.add(MemberCounters.PROCESSED, 1);
                if (latency != null && round == 1) {
                    count(me, handle, detectedNs);
                }
            } catch (Throwable broken) { // an error of the pool's own code
                abandon(me, handle, broken);
                throw broken;
            }
            if (!me.holds(handle)) {
                return; // the handler has waited for a reply: another thread may own the handle by now
            }
            handle.holderId(0);
            if (round == Dispatcher.ROUNDS_MAX) {
                if (handle.yield()) {
                    set.enqueuePosted(handle);
                }
                return;
            }
            ready = handle.release();
        }
    }

    /** Counts the latency of an event. If its handler has offloaded work, the event is counted later, when the continuation has run. */
    private void count(ProcessingThread me, HandleState handle, long detectedNs) {
        boolean goesOn = me.holds(handle) && handle.isDetained();
        if (!goesOn || !handle.carryDetected(detectedNs)) {
            me.latency.add(set.backend.nanoTime(), detectedNs);
        }
    }

    public final void submitRequests() {
        set.backend.submitRequests();
    }

    public final BooleanSupplier newThreadProbe() {
        return set.backend.newThreadProbe();
    }

    /** This is one long method, because the JIT does not inline deeply nested calls. */
    private void dispatch(ProcessingThread me, HandleState handle, int ready) {
        try {
            if ((ready & ReadyBits.WHEN_DETAINED) != 0) {
                closeOrResume(me, handle, ready);
                return;
            }
            int forHandler = ready & ~ReadyBits.REARM;
            if (forHandler != 0) {
                handle.callHandler(forHandler);
            }
            // This must come before the release of the claim. After the release another thread might close the
            // descriptor, and the kernel might give its number to another file.
            if (oneshot && (ready & ReadyBits.FROM_KERNEL) != 0 && me.holds(handle)) {
                rearm(handle);
            }
        } catch (Throwable failure) {
            set.noteHandlerFailure(me, handle, failure);
            close(me, handle, failure);
        }
    }

    private void close(ProcessingThread me, HandleState handle, Throwable cause) {
        if (me.holds(handle)) {
            set.closeNow(handle, cause);
        } else {
            set.closeLater(handle, cause);
        }
    }

    private void closeOrResume(ProcessingThread me, HandleState handle, int ready) throws Exception {
        if ((ready & ReadyBits.CLOSE) != 0) {
            set.closeNow(handle, null);
            return;
        }
        int others = ready & ~ReadyBits.WHEN_DETAINED;
        if (others != 0) {
            handle.notePosted(others); // given to the handler in the next round
        }
        long detectedNs = handle.offloaded.detectedNs;
        set.resumeHandler(handle);
        if (me.latency != null) {
            count(me, handle, detectedNs);
        }
        if (me.holds(handle) && handle.takeRearmPending()) {
            rearm(handle);
        }
    }

    /** Re-arms the handle, unless it must not be dispatched now. In that case it is re-armed later, and its events wait in the kernel. */
    private void rearm(HandleState handle) {
        if (handle.isDetained()) {
            handle.oweRearm();
            return;
        }
        if (handle.isSuspended() || handle.isClosedState()) {
            return;
        }
        try {
            if (handle.hasDescriptor()) {
                set.backend.rearm(handle);
            }
        } catch (IOException refused) {
            set.closeNow(handle, refused);
        }
    }

    private void abandon(ProcessingThread me, HandleState handle, Throwable broken) {
        me.counts.add(MemberCounters.PROCESSED, 1);
        boolean held = me.holds(handle);
        try {
            close(me, handle, broken);
        } finally {
            if (held) {
                handle.holderId(0);
                handle.release();
            }
        }
    }

    /**
     * Called before the handler that {@code me} runs waits for a reply. Gives up an iterative handle and re-arms it. Keeps a concurrent
     * handle and only notifies its handler. The handler may then post, because its edge may stand for further events.
     */
    public final void letGo(ProcessingThread me) {
        HandleState handle = me.held(set);
        HandleState concurrentHandle = me.inside.innermost();
        if (handle == null && concurrentHandle != null) {
            concurrentHandle.countWaiting();
            concurrentHandle.notifyNestedWait();
        }
        if (handle != null) {
            handle.notifyNestedWait();
            if (oneshot) {
                rearm(handle);
            }
            me.holdNone(); // First, so that an exception below does not release the claim twice.
            handle.holderId(0);
            if (handle.yield()) {
                set.enqueuePosted(handle);
            }
        }
        me.holdNone();
    }
}
