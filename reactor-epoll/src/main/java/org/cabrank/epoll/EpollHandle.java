package org.cabrank.epoll;

import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;

/** A descriptor that an {@link EpollHandleSet} watches. */
public final class EpollHandle extends Handle {
    private final int fd;
    private final DescriptorOwner owner;

    /** What the handler waits for, and what the kernel was told last; by the claim holder. */
    private int interest;

    private int armedInterest;

    EpollHandle(
            EpollHandleSet set, int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) {
        super(set, handler, concurrent);
        this.fd = fd;
        this.interest = interest;
        this.armedInterest = interest;
        this.owner = owner;
    }

    /** The file descriptor; not to be used once the handle is closed, because the kernel gives the number out again. */
    public int fd() {
        return fd;
    }

    /** The {@link Ready} bits that the handler waits for. */
    public int interest() {
        return interest;
    }

    void interest(int changed) {
        interest = changed;
    }

    int armedInterest() {
        return armedInterest;
    }

    void armedInterest(int told) {
        armedInterest = told;
    }

    DescriptorOwner owner() {
        return owner;
    }

    @Override
    public String toString() {
        return "fd " + fd + " (" + Ready.describe(interest) + ")";
    }
}
