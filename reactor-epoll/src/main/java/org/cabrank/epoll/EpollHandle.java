package org.cabrank.epoll;

import org.cabrank.lf.handle.EventHandler;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.calls.UrgentInput;
import org.cabrank.stream.transport.StreamConnection;

final class EpollHandle extends DescriptorHandle {
    private final int modes;

    /** True if the handle watches for the end of the connection, even without interest. */
    private boolean watchesEnd;

    /** True if the handle watches for urgent data. Only the handle of a stream does, because a receive stops before urgent data. */
    private final boolean watchesUrgent;

    /** True if the kernel has reported urgent data. Written by the leader before the dispatch. */
    private volatile boolean urgentSeen;

    /** The interest that was last given to the kernel. */
    private int armedInterest;

    /** @param modes EPOLLEXCLUSIVE or 0 */
    EpollHandle(
            EpollHandleSet set,
            int fd,
            int interest,
            EventHandler handler,
            DescriptorOwner owner,
            boolean concurrent,
            int modes) {
        super(set, fd, interest, handler, owner, concurrent);
        this.armedInterest = interest;
        this.modes = modes;
        this.watchesUrgent = handler instanceof UrgentInput;
    }

    /** Makes the handle of a stream. The handle reports the end of the stream even during offloaded work. */
    EpollHandle(EpollHandleSet set, int fd, int interest, EventHandler handler) {
        super(set, fd, interest, handler, DescriptorOwner.SET, false, StreamConnection.WHEN_OFFLOADED);
        this.armedInterest = interest;
        this.modes = 0;
        this.watchesEnd = true;
        this.watchesUrgent = true;
    }

    boolean watchesUrgent() {
        return watchesUrgent;
    }

    void noteUrgent() {
        urgentSeen = true;
        if (handler() instanceof UrgentInput input) {
            input.urgentReported();
        }
    }

    boolean hasUrgent() {
        return urgentSeen;
    }

    boolean watchesEnd() {
        return watchesEnd;
    }

    /** Called when the end was reported. Stops watching for the end, because the kernel would report it again and again. */
    void endReported() {
        watchesEnd = false;
    }

    int modes() {
        return modes;
    }

    int armedInterest() {
        return armedInterest;
    }

    void noteArmed() {
        armedInterest = interest();
    }
}
