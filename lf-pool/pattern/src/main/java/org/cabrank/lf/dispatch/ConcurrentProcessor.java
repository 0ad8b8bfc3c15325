package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;

/**
 * Runs the handler of a concurrent handle in rounds. Other threads may run it at the same time. If the handler throws or the handle must be
 * closed, this is only noted. The last thread that leaves gets the request from {@link ClaimState} and closes the handle.
 */
final class ConcurrentProcessor {
    private final Dispatcher set;

    ConcurrentProcessor(Dispatcher set) {
        this.set = set;
    }

    /** Called by a holder. When this returns or throws, the caller is not a holder any more. */
    void process(ProcessingThread me, HandleState handle, int grantedReady) {
        me.holdNone(); // a handler that waits for a reply has no claim to release
        LatencyCounts latency = me.latency;
        long detectedNs = me.detectedNs; // saved: if a handler waits for a reply, this thread processes other events
        int ready = grantedReady;
        for (int round = 1; ready != 0; round++) {
            if ((ready & ReadyBits.CLOSE) != 0) {
                close(me, handle);
                return;
            }
            me.noteInterrupt(); // an earlier interrupt is not meant for this handler
            try {
                Object timing = Timings.beginHandler(set, round == 1 ? detectedNs : LatencyCounts.UNKNOWN);
                dispatch(me, handle, ready);
                if (timing != null) {
                    Timings.endHandler(timing, set, handle, ready);
                }
                me.counts.add(MemberCounters.PROCESSED, 1);
                if (latency != null && round == 1) {
                    latency.add(set.backend.nanoTime(), detectedNs);
                }
            } catch (Throwable broken) { // an error of the pool's own code
                abandon(me, handle, broken);
                throw broken;
            }
            if (round == Dispatcher.ROUNDS_MAX) {
                if (handle.yield()) {
                    set.enqueuePosted(handle);
                }
                return;
            }
            ready = handle.release();
        }
    }

    private void dispatch(ProcessingThread me, HandleState handle, int ready) {
        int forHandler = ready & ReadyBits.PUBLIC; // a concurrent handle is always armed
        if (forHandler == 0) {
            return;
        }
        HandleState outer = me.inside.enter(handle);
        try {
            handle.callHandler(forHandler);
        } catch (Throwable failure) {
            set.noteHandlerFailure(me, handle, failure);
            set.closeBecauseOf(handle, failure);
        } finally {
            me.inside.leave(handle, outer);
        }
    }

    private void close(ProcessingThread me, HandleState handle) {
        handle.holderId(me.threadId);
        try {
            set.closeNow(handle, null);
        } finally {
            handle.holderId(0);
            handle.release();
        }
        me.counts.add(MemberCounters.PROCESSED, 1);
    }

    /** Called if {@code broken} ends the thread's turn. Makes sure that the thread does not stay a holder. */
    private void abandon(ProcessingThread me, HandleState handle, Throwable broken) {
        me.counts.add(MemberCounters.PROCESSED, 1);
        set.closeLater(handle, broken);
        if ((handle.release() & ReadyBits.CLOSE) != 0) {
            close(me, handle);
        }
    }
}
