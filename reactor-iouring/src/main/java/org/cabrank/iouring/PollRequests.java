package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.calls.UrgentInput;

/** Watches a descriptor by an edge-triggered multishot poll. With {@link Deactivation#ONESHOT}, arms a new poll after each turn. */
class PollRequests extends HandleRequests {
    private final RingHandle handle;
    private final PollCheck check;
    private final boolean oneshot;
    private final MultishotRequest<PollRequests> poll = new MultishotRequest<>(this, POLL);

    private volatile int armedInterest;

    PollRequests(RingHandleSet set, RingHandle handle, PollCheck check) {
        super(set);
        this.handle = handle;
        this.check = check;
        this.oneshot = set.deactivation() == Deactivation.ONESHOT && !handle.isConcurrent();
    }

    @Override
    Handle handle() {
        return handle;
    }

    @Override
    boolean check() throws IOException {
        check.register(handle);
        return true;
    }

    /** Returns false for oneshot polls, because the epoll set would report events even while the poll is disarmed. */
    @Override
    boolean isWatchedByRelief() {
        return !oneshot;
    }

    @Override
    int readinessEvents() {
        return watchedEvents(handle.interest());
    }

    private int watchedEvents(int interest) {
        return pollEvents(interest) | (handle.handler() instanceof UrgentInput ? Epoll.EPOLLPRI : 0);
    }

    @Override
    void arm() {
        if (isClosed() || !poll.tryArm()) {
            return;
        }
        armedInterest = handle.interest();
        int events = watchedEvents(armedInterest);
        if (oneshot) {
            set().submissions().poll(handle.fd(), events, userData(POLL));
        } else {
            set().submissions().pollMultishot(handle.fd(), events, userData(POLL));
        }
    }

    void rearm() {
        if (!oneshot) {
            return;
        }
        if (poll.isArmed() && armedInterest != handle.interest()) {
            poll.end(); // its last completion arms it with the new interest
        } else if (handle.interest() != 0) { // without interest the poll is not armed, so errors are not repeated
            arm();
        }
    }

    @Override
    int completed(int operation, int result, int flags) {
        boolean failed = result < 0 && !isToBeAskedAgain(result);
        int ready = result < 0
                ? 0
                : reported(
                        handle,
                        result); // also if the handle has left the set: the pool then drops and counts the event
        if (failed) {
            handle.fail(Errno.exception(handle + " cannot be watched any more: poll", result));
        }
        if (poll.isLast(flags)) {
            if (!failed && (ready == 0 || !oneshot)) {
                armAgain();
            }
            ended();
        }
        return ready;
    }

    private void armAgain() {
        if (!isClosed() && !set().isQuiet() && (handle.interest() != 0 || !oneshot)) {
            arm();
        }
    }

    static int pollEvents(int interest) {
        return ((interest & Ready.READ) != 0 ? Epoll.EPOLLIN | Epoll.EPOLLRDHUP : 0)
                | ((interest & Ready.WRITE) != 0 ? Epoll.EPOLLOUT : 0);
    }

    /** Notifies the handler of urgent data. Returns the ready bits of the events. Called by the leader. */
    static int reported(Handle handle, int pollEvents) {
        if ((pollEvents & Epoll.EPOLLPRI) != 0 && handle.handler() instanceof UrgentInput input) {
            input.urgentReported();
        }
        return readyOf(pollEvents);
    }

    static int readyOf(int pollEvents) {
        return ((pollEvents & (Epoll.EPOLLIN | Epoll.EPOLLPRI)) != 0 ? Ready.READ : 0)
                | ((pollEvents & Epoll.EPOLLOUT) != 0 ? Ready.WRITE : 0)
                | ((pollEvents & Epoll.EPOLLRDHUP) != 0 ? Ready.INPUT_CLOSED : 0)
                | ((pollEvents & Epoll.EPOLLHUP) != 0 ? Ready.HANGUP : 0)
                | ((pollEvents & Epoll.EPOLLERR) != 0 ? Ready.ERROR : 0);
    }

    /**
     * After this method, the caller may close a descriptor that it owns. A poll that is still queued may then watch a new file with the
     * same number, but only for a moment, because the cancellation is queued behind the poll.
     */
    @Override
    void close() {
        check.deregister(handle.fd());
        poll.end();
        if (handle.owner() != DescriptorOwner.CALLER) {
            set().closeInOrder(handle.fd());
        }
        markClosed();
    }

    @Override
    void released() {
        // uses no memory that the kernel could access
    }

    @Override
    public String toString() {
        return "poll of " + handle;
    }
}
