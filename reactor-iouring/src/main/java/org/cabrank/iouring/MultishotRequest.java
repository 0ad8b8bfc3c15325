package org.cabrank.iouring;

import org.cabrank.kernel.layout.IoUring;

/**
 * A multishot request. It completes repeatedly until the kernel or {@link #end} ends it. At most one request is under way.
 *
 * <pre>
 *  IDLE --tryArm--> ARMED --end--> ENDING
 *    ^                |              |
 *    +--- last completion -----------+
 * </pre>
 *
 * <p>If a cancellation reaches the kernel after the last completion, it may cancel the next request. The next request then
 * completes with ECANCELED, and is armed again.
 */
class MultishotRequest<R extends HandleRequests> {
    private static final int IDLE = 0;
    private static final int ARMED = 1;
    private static final int ENDING = 2;

    final R requests;
    private final int operation;
    private int state;

    MultishotRequest(R requests, int operation) {
        this.requests = requests;
        this.operation = operation;
    }

    final boolean isArmed() {
        return state != IDLE;
    }

    /** Returns true if the request is armed and {@link #end} was not called. */
    final boolean isUnended() {
        return state == ARMED;
    }

    /** Returns true if the caller must put the request into the submission queue. */
    final boolean tryArm() {
        if (state != IDLE || requests.set().isQuiet()) {
            return false;
        }
        state = ARMED;
        requests.begin();
        return true;
    }

    /** Cancels the request if it is armed. Its last completion arrives later. */
    final void end() {
        if (state == ARMED) {
            state = ENDING;
            requests.set().cancel(requests.userData(operation));
        }
    }

    /** Returns true if the completion is the last. The caller must then call {@link HandleRequests#ended}. */
    final boolean isLast(int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) != 0) {
            return false;
        }
        state = IDLE;
        return true;
    }
}
