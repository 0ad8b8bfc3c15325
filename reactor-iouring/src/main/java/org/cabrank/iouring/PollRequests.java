package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;

/** Watches any descriptor by a multishot poll (edges), or with {@link Deactivation#ONESHOT} by one poll for each processing (state). */
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

    /** A oneshot poll is disarmed between events, which an epoll set would not know. */
    @Override
    boolean isWatchedByRelief() {
        return !oneshot;
    }

    @Override
    int readinessEvents() {
        return pollEvents(handle.interest());
    }

    @Override
    void arm() {
        if (isClosed() || !poll.tryArm()) {
            return;
        }
        armedInterest = handle.interest();
        int events = pollEvents(armedInterest);
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
            poll.end(); // armed again after its end has arrived
        } else if (handle.interest() != 0) { // otherwise disarmed, because an error would be reported endlessly
            arm();
        }
    }

    @Override
    int completed(int operation, int result, int flags) {
        boolean failed = result < 0 && !isToBeAskedAgain(result);
        int ready = result < 0
                ? 0
                : readyOf(result); // even if the handle has left: the pool then drops and counts the event
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

    static int readyOf(int pollEvents) {
        return ((pollEvents & Epoll.EPOLLIN) != 0 ? Ready.READ : 0)
                | ((pollEvents & Epoll.EPOLLOUT) != 0 ? Ready.WRITE : 0)
                | ((pollEvents & Epoll.EPOLLRDHUP) != 0 ? Ready.INPUT_CLOSED : 0)
                | ((pollEvents & Epoll.EPOLLHUP) != 0 ? Ready.HANGUP : 0)
                | ((pollEvents & Epoll.EPOLLERR) != 0 ? Ready.ERROR : 0);
    }

    /**
     * A caller may close its own descriptor as soon as this returns. A queued poll is followed by its cancellation, so the next file with
     * that number is polled for a moment at most: see {@link org.cabrank.socket.DescriptorSet#registerBorrowed}.
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
