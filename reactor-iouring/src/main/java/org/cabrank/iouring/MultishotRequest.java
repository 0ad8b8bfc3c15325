package org.cabrank.iouring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.cabrank.kernel.IoUring;

/**
 * A multishot request: armed once, it completes again and again until the kernel, or somebody here, ends it.
 *
 * <p>In a ring that several threads share, a request that was armed by a thread that does not lead any more is ended and armed
 * again by the present leader, when the {@link RequestTakeover} asks for it, but not while it could not be armed: a receive when
 * all buffers are in use would only begin to starve.
 *
 * <pre>
 *  IDLE --tryArm--> ARMED --end--> ENDING          by whoever arms and ends, with the monitor of the requests: so
 *                     |              ^             that the end is asked for behind the request, and not before it
 *               another leads       end
 *                     +--> TAKING_OVER             by the watcher
 *
 *  any of them --last completion--> IDLE           by the watcher
 * </pre>
 *
 * <p>There is never more than one. An end that crosses the last completion may meet the request that was armed next: that one
 * ends with ECANCELED, which whoever uses it takes as a reason to arm again.
 *
 * @param <R> type of the requests of the descriptor
 */
class MultishotRequest<R extends HandleRequests> {
    private static final int IDLE = 0;
    private static final int ARMED = 1;
    private static final int TAKING_OVER = 2;
    private static final int ENDING = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(MultishotRequest.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final R requests;
    private final int operation;

    private volatile int state;

    /** Id of the thread that has armed the request. */
    private volatile long armedBy;

    /** True if the last completion ended a takeover. Accessed by the watcher only. */
    private boolean takenOver;

    /** True if the {@link RequestTakeover} lists the request as active. Accessed by the watcher only. */
    private boolean listed;

    MultishotRequest(R requests, int operation) {
        this.requests = requests;
        this.operation = operation;
    }

    /** Returns true if the last completion is still to come. */
    final boolean isArmed() {
        return state != IDLE;
    }

    /** Returns true if the caller must put the request into the submission queue. Called with the monitor of the requests held. */
    final boolean tryArm() {
        if (requests.set().isQuiet() || !STATE.compareAndSet(this, IDLE, ARMED)) {
            return false;
        }
        if (requests.set().isShared()) {
            armedBy = Thread.currentThread().getId();
        }
        requests.begin();
        return true;
    }

    /**
     * Returns true if the present leader has ended the request to arm it itself, and no thread wanted the end. Called after the
     * last completion.
     */
    final boolean isTakenOver() {
        boolean answer = takenOver;
        takenOver = false;
        return answer;
    }

    /** Requests the end of the request, if it is armed. The last completion is still to come. */
    final void end() {
        if (state == ARMED || state == TAKING_OVER) {
            synchronized (requests) {
                if (!tryEnd(ENDING)) {
                    STATE.compareAndSet(this, TAKING_OVER, ENDING);
                }
            }
        }
    }

    private boolean tryEnd(int ending) {
        boolean ends = STATE.compareAndSet(this, ARMED, ending);
        if (ends) {
            requests.set().cancel(requests.userData(operation));
        }
        return ends;
    }

    /** Returns true if the completion is the last, and the caller must call {@link HandleRequests#ended}. Called by the watcher. */
    final boolean isLast(int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            takenOver = (int) STATE.getAndSet(this, IDLE) == TAKING_OVER;
            return true;
        }
        if (requests.set().isShared() && state == ARMED) {
            RequestTakeover takeover = requests.set().takeover();
            listed = listed || takeover.list(this, armedBy);
            if (takeover.leadsInsteadOf(armedBy) && requests.couldArm()) {
                tryEnd(TAKING_OVER); // its completion is here, so it is in the queue no longer
            }
        }
        return false;
    }

    /** Watcher: the {@link RequestTakeover} has forgotten that it is active. */
    final void unlist() {
        listed = false;
    }

    /** Watcher: ends it to arm it itself, if another thread has armed it and it could be armed again; true: that has begun. */
    final boolean takeOver() {
        if (state != ARMED
                || requests.set().isQuiet()
                || !requests.set().takeover().isOfAnother(armedBy)) {
            return false;
        }
        synchronized (requests) { // whoever arms it may not have put it into the queue yet
            return requests.couldArm() && tryEnd(TAKING_OVER);
        }
    }
}
