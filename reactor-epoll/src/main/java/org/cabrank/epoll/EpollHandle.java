package org.cabrank.epoll;

import org.cabrank.descriptor.DescriptorHandle;
import org.cabrank.descriptor.DescriptorOwner;
import org.cabrank.lf.EventHandler;

/** A descriptor that an {@link EpollHandleSet} watches. */
final class EpollHandle extends DescriptorHandle {
    private final int modes;

    /** What the kernel was told last; by the claim holder. */
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

    int modes() {
        return modes;
    }

    int armedInterest() {
        return armedInterest;
    }

    /** What the handler waits for is what the kernel is to be told now. */
    void noteArmed() {
        armedInterest = interest();
    }
}
