package org.cabrank.iouring;

import org.cabrank.kernel.layout.IoUring;

/**
 * A multishot request: armed once, it completes again and again until the kernel, or somebody here, ends it.
 *
 * <pre>
 *  IDLE --tryArm--> ARMED --end--> ENDING
 *    ^                |              |
 *    +--- last completion -----------+
 * </pre>
 *
 * <p>There is never more than one. A cancellation that crosses the last completion may meet the request that was armed
 * next. That request ends with ECANCELED, and its user arms it again.
 *
 * @param <R> type of the requests of the descriptor
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

    /** Returns true if the last completion is still to come. */
    final boolean isArmed() {
        return state != IDLE;
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

    /** Requests the end of the request, if it is armed. The last completion is still to come. */
    final void end() {
        if (state == ARMED) {
            state = ENDING;
            requests.set().cancel(requests.userData(operation));
        }
    }

    /** Returns true if the completion is the last, and the caller must call {@link HandleRequests#ended}. Called by the watcher. */
    final boolean isLast(int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) != 0) {
            return false;
        }
        state = IDLE;
        return true;
    }
}
