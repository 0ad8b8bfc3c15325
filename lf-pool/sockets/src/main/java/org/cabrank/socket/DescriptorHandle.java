package org.cabrank.socket;

import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DescriptorOwner;

/** A descriptor that a {@link DescriptorSet} watches. */
@SuppressWarnings("exports") // protected methods are for reactors of Cabrank
public abstract class DescriptorHandle extends Handle {
    private final int fd;
    private final DescriptorOwner owner;

    /** Used by the holder of the claim. */
    private int interest;

    /** @param interest {@link Ready#READ}, {@link Ready#WRITE}, both, or 0 */
    protected DescriptorHandle(
            DescriptorSet set, int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) {
        this(set, fd, interest, handler, owner, concurrent, 0);
    }

    /** @param alsoWhenDetained see {@link Handle#Handle(org.cabrank.lf.handle.HandleSet, EventHandler, boolean, int)} */
    protected DescriptorHandle(
            DescriptorSet set,
            int fd,
            int interest,
            EventHandler handler,
            DescriptorOwner owner,
            boolean concurrent,
            int alsoWhenDetained) {
        super(set, handler, concurrent, alsoWhenDetained);
        this.fd = fd;
        this.interest = interest;
        this.owner = owner;
    }

    /** The file descriptor. Do not use it after the handle is closed, because the kernel reuses the number. */
    public final int fd() {
        return fd;
    }

    /** The {@link Ready} bits that the handler waits for. */
    public final int interest() {
        return interest;
    }

    final void interest(int changed) {
        interest = changed;
    }

    public final DescriptorOwner owner() {
        return owner;
    }

    /** Returns the datagrams that the reactor receives for this handle, or null if the reactor only watches for readiness. */
    protected DatagramInput input() {
        return null;
    }

    @Override
    public String toString() {
        String descriptor = "fd " + fd + " (" + Ready.describe(interest) + ")";
        String served = handler().description();
        return served.isEmpty() ? descriptor : descriptor + " of " + served;
    }
}
