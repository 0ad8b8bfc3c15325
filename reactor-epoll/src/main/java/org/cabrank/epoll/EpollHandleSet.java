package org.cabrank.epoll;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.Harvest;
import org.cabrank.lf.Ready;

/**
 * A handle set over epoll(7): one system call harvests many events, and the leaders take them from there.
 *
 * <p>With {@link Deactivation#CLAIM} handles are registered edge-triggered once and for all; with
 * {@link Deactivation#ONESHOT} they are armed anew after each processing, but for concurrent handles, which stay armed.
 */
public final class EpollHandleSet extends HandleSet {
    /** No handle's key: slots are not negative. */
    static final long WAKEUP_KEY = -1L;

    private final Kernel kernel;
    private final int epollFd;
    private final int wakeupFd;

    /** A struct epoll_event for epoll_ctl, and the eight bytes that wake the leader. Guarded by itself. */
    private final ByteBuffer control;

    private final long controlAddress;
    private final long wakeupValueAddress;

    /**
     * Both descriptors are given back, and their numbers perhaps given out again. A thread that wakes the leader or
     * registers a handle may come this late. Guarded by control.
     */
    private boolean closed;

    /** @throws IOException when the process may have no more descriptors */
    public EpollHandleSet(Kernel kernel, Deactivation deactivation) throws IOException {
        super(deactivation);
        this.kernel = kernel;
        control = direct(EpollEvent.SIZE_BYTES);
        controlAddress = kernel.addressOf(control);
        wakeupValue = direct(Long.BYTES);
        wakeupValue.putLong(0, 1);
        wakeupValueAddress = kernel.addressOf(wakeupValue);
        epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        int eventFd = kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC);
        int added = eventFd < 0
                ? eventFd
                : control(Epoll.EPOLL_CTL_ADD, eventFd, Epoll.EPOLLIN | Epoll.EPOLLET, WAKEUP_KEY);
        if (added < 0) {
            kernel.close(epollFd);
            if (eventFd >= 0) {
                kernel.close(eventFd);
            }
            throw Errno.exception(eventFd < 0 ? "eventfd" : "epoll_ctl", added);
        }
        wakeupFd = eventFd;
    }

    /** Kept, because the kernel reads it. */
    private final ByteBuffer wakeupValue;

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Any thread: watches {@code fd} and calls {@code handler} when it is ready. The set owns the descriptor from now on
     * and closes it with the handle. The descriptor must not block: a handler reads until it would.
     *
     * @param interest {@link Ready#READ}, {@link Ready#WRITE} or both; 0: errors only, which are always told
     * @throws IOException when the kernel refuses: EBADF, EEXIST (registered twice), EPERM (a file that cannot be waited
     *     for), ENOSPC (fs.epoll.max_user_watches); the descriptor is still the caller's then
     * @throws IllegalStateException when the set is closed; the descriptor is still the caller's then
     */
    public EpollHandle register(int fd, int interest, EventHandler handler) throws IOException {
        checkInterest(interest);
        EpollHandle handle = new EpollHandle(this, fd, interest, handler, DescriptorOwner.SET_WITH_DUPLICATES, false);
        add(handle, 0, 0, EpollHandle.NO_DEADLINE);
        return handle;
    }

    /** As {@link #register}, but the caller keeps the descriptor, and closes it after the handle. */
    public EpollHandle registerBorrowed(int fd, int interest, EventHandler handler) throws IOException {
        checkInterest(interest);
        EpollHandle handle = new EpollHandle(this, fd, interest, handler, DescriptorOwner.CALLER, false);
        add(handle, 0, 0, EpollHandle.NO_DEADLINE);
        return handle;
    }

    /**
     * As {@link #register}, but several threads may run {@code handler} at once ({@link EpollHandle#isConcurrent}). An edge
     * lets one thread in: a handler that may be slow, and sees that there may be more, posts {@link Ready#READ} to the handle
     * first, and another thread comes for it.
     */
    public EpollHandle registerConcurrent(int fd, int interest, EventHandler handler) throws IOException {
        checkInterest(interest);
        EpollHandle handle = new EpollHandle(this, fd, interest, handler, DescriptorOwner.SET_WITH_DUPLICATES, true);
        add(handle, 0, 0, EpollHandle.NO_DEADLINE);
        return handle;
    }

    private static void checkInterest(int interest) {
        if ((interest & ~(Ready.READ | Ready.WRITE)) != 0) {
            throw new IllegalArgumentException("READ and WRITE can be waited for, not " + Ready.describe(interest)
                    + " (0x" + Integer.toHexString(interest) + ")");
        }
    }

    /**
     * Admits a handle and tells the kernel. No handler runs before the kernel has agreed: until then the descriptor is the
     * caller's, and must not be closed by anybody else.
     *
     * @param modes EPOLLEXCLUSIVE or 0
     * @param posted what the handler is called for first; 0: nothing
     * @param deadlineNs of the handle's timer, or {@link EpollHandle#NO_DEADLINE}
     */
    void add(EpollHandle handle, int modes, int posted, long deadlineNs) throws IOException {
        admitInactive(handle);
        if (posted != 0) {
            handle.post(posted);
        }
        if (deadlineNs != EpollHandle.NO_DEADLINE) {
            handle.scheduleTimer(deadlineNs);
        }
        // A listener's input has no end to report, and EPOLLRDHUP beside EPOLLEXCLUSIVE is refused with EINVAL.
        int unfit = (modes & Epoll.EPOLLEXCLUSIVE) != 0 ? Epoll.EPOLLRDHUP : 0;
        int result = control(Epoll.EPOLL_CTL_ADD, handle.fd(), epollEvents(handle) & ~unfit | modes, handle.key());
        if (result < 0) {
            dismiss(handle);
            throw Errno.exception(handle + " cannot be registered" + reason(-result) + ": epoll_ctl", result);
        }
        activate(handle);
    }

    private static String reason(int errno) {
        return switch (errno) {
            case Errno.EBADF -> ", it is not open";
            case Errno.EEXIST -> ", it is registered in this set already";
            case Errno.EPERM -> ", a regular file or a directory is always ready and cannot be waited for";
            case Errno.ENOSPC -> ", this user may watch no more: raise fs.epoll.max_user_watches";
            default -> "";
        };
    }

    private int epollEvents(EpollHandle handle) {
        int interest = handle.interest();
        int wanted = ((interest & Ready.READ) != 0 ? Epoll.EPOLLIN | Epoll.EPOLLRDHUP : 0)
                | ((interest & Ready.WRITE) != 0 ? Epoll.EPOLLOUT : 0);
        boolean oneshot = deactivation() == Deactivation.ONESHOT && !handle.isConcurrent();
        return wanted | (oneshot ? Epoll.EPOLLONESHOT : Epoll.EPOLLET);
    }

    private int control(int operation, int fd, int epollEvents, long key) {
        synchronized (control) {
            if (closed) {
                return -Errno.EBADF;
            }
            control.putInt(EpollEvent.EVENTS_OFFSET, epollEvents);
            control.putLong(EpollEvent.DATA_OFFSET, key);
            return kernel.epollCtl(epollFd, operation, fd, controlAddress);
        }
    }

    /** The kernel that the set calls, for handlers that call it too. */
    public Kernel kernel() {
        return kernel;
    }

    /**
     * Inside the handler: what it waits for from now on; 0: nothing. Without effect on what the kernel is asked with {@link
     * Deactivation#CLAIM}: an edge-triggered handle is told every edge of the interest that it was registered with.
     *
     * @param interest as for {@link #register}
     * @throws IOException when the kernel refuses to arm the handle
     */
    public void interest(EpollHandle handle, int interest) throws IOException {
        checkInterest(interest);
        handle.interest(interest);
        if (deactivation() == Deactivation.ONESHOT && interest != 0 && interest != handle.armedInterest()) {
            rearm(handle);
        }
    }

    @Override
    protected void rearm(org.cabrank.lf.Handle handle) throws IOException {
        EpollHandle own = (EpollHandle) handle;
        if (own.isConcurrent()) {
            return;
        }
        own.armedInterest(own.interest());
        if (own.interest() != 0) { // else it stays disarmed: an error that nobody reads would be reported for ever
            Errno.check(
                    "epoll_ctl: arming " + own, control(Epoll.EPOLL_CTL_MOD, own.fd(), epollEvents(own), own.key()));
        }
    }

    @Override
    protected Harvest newHarvest(int eventsMax) {
        return new EpollHarvest(kernel, epollFd, eventsMax);
    }

    /** The eventfd is never read: each write is a new edge, and its counter cannot come near its end. */
    @Override
    protected void interruptAwait() {
        int result;
        synchronized (control) {
            if (closed) {
                return;
            }
            do {
                result = kernel.write(wakeupFd, wakeupValueAddress, Long.BYTES);
            } while (result == -Errno.EINTR);
        }
        if (result < 0) {
            failures().log("the leader could not be woken", Errno.exception("write to eventfd", result));
        }
    }

    @Override
    protected void closeDescriptor(org.cabrank.lf.Handle handle) {
        EpollHandle own = (EpollHandle) handle;
        int result = own.owner() == DescriptorOwner.SET ? 0 : control(Epoll.EPOLL_CTL_DEL, own.fd(), 0, 0);
        if (result < 0 && result != -Errno.ENOENT) {
            failures().log("removing " + own, Errno.exception("epoll_ctl", result));
        }
        if (own.owner() != DescriptorOwner.CALLER) {
            closeQuietly(own.fd());
        }
    }

    /** Closes a descriptor; it is gone whatever the kernel answers. */
    void closeQuietly(int fd) {
        int result = kernel.close(fd);
        if (result < 0 && result != -Errno.EINTR) {
            failures().log("closing fd " + fd, Errno.exception("close", result));
        }
    }

    @Override
    public void close() {
        super.close();
        synchronized (control) {
            if (closed) {
                return;
            }
            closed = true;
        }
        closeQuietly(wakeupFd);
        closeQuietly(epollFd);
    }

    @Override
    public String toString() {
        return "epoll fd " + epollFd;
    }
}
