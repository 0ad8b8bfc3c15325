package org.cabrank.iouring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.cabrank.kernel.IoUring;

/**
 * A multishot request: armed once, it completes again and again until the kernel, or somebody here, ends it.
 *
 * <p>In a ring that several threads share, the kernel completes a request in the context of the thread that has armed it, which
 * it wakes from whatever it does. So a request that was armed by a thread that does not lead any more is ended and armed anew by
 * the present leader, once that one has led for a while: under eager promotion nobody does, and nothing would be gained.
 *
 * <p>Whoever arms has set {@code armed} by compare-and-set, so there is never more than one.
 */
final class Watched {
    private static final VarHandle ARMED;

    static {
        try {
            ARMED = MethodHandles.lookup().findVarHandle(Watched.class, "armed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Requests requests;
    private final int operation;

    private volatile boolean armed;

    /** The id of the thread that has armed it. */
    private volatile long armedBy;

    /** Its end was asked for; no second time before it has come. */
    private volatile boolean ending;

    /** By the watcher. */
    private boolean takenOver;

    Watched(Requests requests, int operation) {
        this.requests = requests;
        this.operation = operation;
    }

    boolean isArmed() {
        return armed;
    }

    /** True: the caller puts the request into the submission queue. */
    boolean tryArm() {
        if (armed || !ARMED.compareAndSet(this, false, true)) {
            return false;
        }
        if (requests.set().isShared()) {
            armedBy = Thread.currentThread().getId();
        }
        requests.begin();
        return true;
    }

    /** Whether the present leader has ended it to arm it itself; asked after its last completion. */
    boolean isTakenOver() {
        boolean answer = takenOver;
        takenOver = false;
        return answer;
    }

    /** Asks for its end, if it is armed. Its last completion is still to come. */
    void end() {
        if (armed && !ending) {
            ending = true;
            requests.set().cancel(requests.userData(operation));
        }
    }

    /** Watcher, for each of its completions; true: it was the last, and {@link Requests#ended} is the caller's to call. */
    boolean isLast(int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            ending = false;
            armed = false;
            return true;
        }
        if (requests.set().isShared() && !ending && requests.set().leadsInsteadOf(armedBy)) {
            takenOver = true;
            end();
        }
        return false;
    }
}
