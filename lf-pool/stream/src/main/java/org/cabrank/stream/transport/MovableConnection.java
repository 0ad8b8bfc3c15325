package org.cabrank.stream.transport;

import java.io.IOException;
import org.cabrank.lf.Handle;
import org.cabrank.stream.ConnectionHandler;

/**
 * The side of a connection that goes from shard to shard. By the claim holder: a connection is moved at the end of a processing
 * that leaves it idle, as the last thing that its thread does with it.
 *
 * <pre>
 *  former shard                                     other shard
 *  processing ends idle
 *  the other handle is registered, inactive ------> what is ready is kept
 *  the former handle leaves: no event finds it
 *  the connection names the other handle ---------> mail comes here
 *  the other handle is activated -----------------> processed for what was kept, and for mail
 * </pre>
 */
abstract class MovableConnection extends CallingConnection {
    private StreamContext context;

    /** Null: the connection is not wanted elsewhere. */
    private MoveRequest move;

    /** Processing has ended with the connection idle, and {@link #move} can be done. */
    private boolean due;

    MovableConnection(ConnectionHandler handler, StreamContext context) {
        super(handler, context);
        this.context = context;
    }

    /**
     * The connection is to be moved, and nothing is under way but what the kernel was asked to report. Has it report nothing
     * more, if that must be before {@link #moveTo}; the connection is processed again then.
     *
     * @return whether it reports nothing more
     */
    protected abstract boolean prepareToMove();

    /**
     * Registers the connection with another shard, takes it out of this one, calls {@link #moved}, and has the other's handle
     * dispatched: the connection is others' from then on.
     *
     * @throws IOException why the other shard cannot have it: it stays
     */
    protected abstract void moveTo(StreamShard target) throws IOException;

    /** The connection is about to end, and does so where it is. */
    abstract boolean isEnding();

    /** Schedules the timer that is due, with the present handle. */
    abstract void scheduleTimer();

    /** Processing is over: what the kernel should report next. */
    protected abstract void interest(boolean input, boolean output);

    protected abstract boolean wantsInput();

    @Override
    protected final StreamContext context() {
        return context;
    }

    @Override
    final void requestMove(MoveRequest wanted) {
        MoveRequest replaced = move;
        boolean isThere = wanted.target().context() == context;
        move = isThere ? null : wanted; // first: an action that depends on a request may wait, or request again
        if (replaced != null) {
            replaced.done().complete(false);
        }
        if (isThere) {
            wanted.done().complete(true);
        }
    }

    /** If there is a request, it will not be met. */
    final void giveUpMove() {
        if (move != null) {
            MoveRequest refused = move;
            move = null;
            refused.done().complete(false);
        }
    }

    final boolean isToMove() {
        return move != null;
    }

    /**
     * At the end of a processing: decides whether the connection is moved when its thread is done with it ({@link #moveDue}), and
     * else what the kernel should report next.
     */
    final void stayOrDecideToMove() {
        if (move != null && isEnding()) {
            int before = timesLetGo();
            giveUpMove();
            requireKept(before);
        }
        boolean idle = outbound.isEmpty() && !callbackWaits();
        boolean holdsStill = move != null && idle;
        due = holdsStill && prepareToMove();
        if (!due) {
            interest(!holdsStill && wantsInput(), !outbound.isEmpty());
        }
    }

    /** What was decided. */
    final boolean moveDue() {
        return due;
    }

    /** The last that its thread does. */
    final void moveAway() {
        due = false;
        MoveRequest request = move;
        Handle former = handle();
        move = null;
        try {
            moveTo(request.target());
            request.done().complete(true);
        } catch (Throwable failed) {
            boolean stays =
                    !former.isClosed(); // else half of it was done, and the connection is closed where it was to go
            if (stays && !(failed instanceof Error)) {
                interest(wantsInput(), false);
            }
            request.done().completeExceptionally(failed);
            if (failed instanceof Error fatal) {
                throw fatal; // ends the handle, as after any failure of a handler
            }
        }
    }

    /** For {@link #moveTo}: the connection is the other shard's from now on, by this handle, which is not active yet. */
    protected final void moved(Handle other, StreamContext target) {
        outbound.moveTo(target);
        moveUnread(target.chunks());
        target.connectionMovedIn(); // first: rather counted twice for a moment than not at all
        context.connectionMovedOut();
        context = target;
        bindAnewVolatile(other);
        scheduleTimer();
        other.post(MAIL); // for mail that came by the former handle; and it has the kernel asked for what is wanted
    }
}
