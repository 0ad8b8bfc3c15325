package org.cabrank.epoll;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.transport.KernelRetry;

/**
 * A handle set over epoll(7). With {@link Deactivation#CLAIM}, handles are registered once, edge-triggered. With {@link
 * Deactivation#ONESHOT}, handles are armed again after each turn. Concurrent handles stay armed in both cases.
 */
@SuppressWarnings("exports") // protected methods are for reactors of Cabrank
public final class EpollHandleSet extends DescriptorSet {
    /** Key of the eventfd. No handle has this key, because slots are not negative. */
    static final long WAKEUP_KEY = -1L;

    private final Kernel kernel;
    private final int epollFd;
    private final int wakeupFd;

    /** A struct epoll_event for epoll_ctl(2). The buffer is also the lock that guards it. */
    private final ByteBuffer control;

    private final long controlAddress;
    private final long wakeupValueAddress;

    /** True if the set is closed. Other files may then have the numbers of the closed descriptors. Guarded by {@code control}. */
    private boolean closed;

    public EpollHandleSet(Kernel kernel, Deactivation deactivation) throws IOException {
        this(kernel, deactivation, EpollOptions.DEFAULT);
    }

    /** @throws IOException if the process has too many descriptors, or if the kernel refuses the options. The message names the cause. */
    public EpollHandleSet(Kernel kernel, Deactivation deactivation, EpollOptions options) throws IOException {
        super(kernel, deactivation);
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
        try {
            BusyPolling.set(kernel, epollFd, options);
        } catch (Throwable refused) { // also for lack of memory
            kernel.close(epollFd);
            kernel.close(eventFd);
            throw refused;
        }
    }

    /** The eight bytes that a wake-up writes. The field keeps the memory alive, because the kernel reads it. */
    private final ByteBuffer wakeupValue;

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    protected DescriptorHandle newHandle(
            int fd, int interest, EventHandler handler, DescriptorOwner owner, boolean concurrent) {
        return new EpollHandle(this, fd, interest, handler, owner, concurrent, 0);
    }

    void admit(EpollHandle handle, int posted, long deadlineNs) throws IOException {
        add(handle, posted, deadlineNs);
    }

    @Override
    protected void unwatch(DescriptorHandle handle) {
        int result = control(Epoll.EPOLL_CTL_DEL, handle.fd(), 0, 0);
        if (result < 0) {
            failures().log("removing " + handle, Errno.exception("epoll_ctl", result));
        }
    }

    @Override
    protected void watch(DescriptorHandle handle) throws IOException {
        EpollHandle own = (EpollHandle) handle;
        // A listener's input has no end to report, and the kernel refuses EPOLLRDHUP with EPOLLEXCLUSIVE (EINVAL).
        int unfit = (own.modes() & Epoll.EPOLLEXCLUSIVE) != 0 ? Epoll.EPOLLRDHUP : 0;
        int result = control(Epoll.EPOLL_CTL_ADD, own.fd(), epollEvents(own) & ~unfit | own.modes(), own.key());
        if (result < 0) {
            throw Errno.exception(own + " cannot be registered" + reason(-result) + ": epoll_ctl", result);
        }
    }

    /** Returns the meaning of an errno of epoll_ctl(2). */
    private static String reason(int errno) {
        return switch (errno) {
            case Errno.EBADF -> ", it is not open";
            case Errno.EEXIST -> ", it is registered in this set already";
            case Errno.EPERM -> ", a regular file or a directory is always ready and cannot be waited for";
            case Errno.ENOSPC -> ", this user may watch no more: raise fs.epoll.max_user_watches";
            case Errno.ENOMEM -> ", the kernel lacks memory: free memory or raise the memory limit of the cgroup";
            case Errno.ELOOP -> ", epoll descriptors that watch each other are nested too deep or in a circle";
            // EINVAL means that an epoll would watch itself, or that EPOLLEXCLUSIVE does not fit. Only MOD and DEL
            // return ENOENT.
            default -> "";
        };
    }

    private int epollEvents(EpollHandle handle) {
        int interest = handle.interest();
        int input = Epoll.EPOLLIN | Epoll.EPOLLRDHUP | (handle.watchesUrgent() ? Epoll.EPOLLPRI : 0);
        int wanted = ((interest & Ready.READ) != 0 ? input : 0) | ((interest & Ready.WRITE) != 0 ? Epoll.EPOLLOUT : 0);
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

    @Override
    protected void interestSet(DescriptorHandle handle) throws IOException {
        EpollHandle own = (EpollHandle) handle;
        if (isToArm(own) && own.interest() != own.armedInterest()) {
            rearm(handle);
        }
    }

    /** A handle without interest is not armed, because an error that nobody reads would be reported endlessly. */
    private static boolean isToArm(EpollHandle handle) {
        return handle.interest() != 0 || handle.watchesEnd();
    }

    @Override
    protected void rearm(Handle handle) throws IOException {
        EpollHandle own = (EpollHandle) handle;
        if (own.isConcurrent()) {
            return;
        }
        own.noteArmed();
        if (isToArm(own)) {
            Errno.check(
                    "epoll_ctl: arming " + own, control(Epoll.EPOLL_CTL_MOD, own.fd(), epollEvents(own), own.key()));
        }
    }

    @Override
    protected Harvest newHarvest() {
        return new EpollHarvest(kernel, epollFd, new KernelRetry(this), this::lookup);
    }

    /** The eventfd is never read, because epoll reports each write to it, and its counter does not overflow in practice. */
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
    protected void closeDescriptor(Handle handle) {
        EpollHandle own = (EpollHandle) handle;
        int result = own.owner() == DescriptorOwner.SET ? 0 : control(Epoll.EPOLL_CTL_DEL, own.fd(), 0, 0);
        if (result < 0 && result != -Errno.ENOENT) {
            failures().log("removing " + own, Errno.exception("epoll_ctl", result));
        }
        if (own.owner() != DescriptorOwner.CALLER) {
            synchronized (handle) { // see DescriptorSet.whileOpen
                closeQuietly(own.fd());
            }
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
