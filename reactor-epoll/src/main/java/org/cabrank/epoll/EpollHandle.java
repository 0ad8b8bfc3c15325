package org.cabrank.epoll;

import org.cabrank.lf.EventHandler;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorOwner;
import org.cabrank.stream.transport.StreamConnection;

/** A descriptor that an {@link EpollHandleSet} watches. */
final class EpollHandle extends DescriptorHandle {
    private final int modes;

    /** With nothing else to wait for, it is armed for the end of the connection; by the claim holder. */
    private boolean watchesEnd;

    /** The interest that the kernel was given last. Used by the claim holder. */
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
    }

    /** Handle of a stream, which is notified of the stream's end even while its work is offloaded. */
    EpollHandle(EpollHandleSet set, int fd, int interest, EventHandler handler) {
        super(set, fd, interest, handler, DescriptorOwner.SET, false, StreamConnection.WHEN_OFFLOADED);
        this.armedInterest = interest;
        this.modes = 0;
        this.watchesEnd = true;
    }

    boolean watchesEnd() {
        return watchesEnd;
    }

    /** The end was reported, and would be reported without end. */
    void endReported() {
        watchesEnd = false;
    }

    int modes() {
        return modes;
    }

    int armedInterest() {
        return armedInterest;
    }

    /** Notes that the kernel is given the current interest. */
    void noteArmed() {
        armedInterest = interest();
    }
}
