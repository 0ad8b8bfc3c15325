package org.cabrank.bench.jmh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of a call through the {@link Kernel} interface, as in the reactors. {@link #getpagesize} makes no system call, so it shows the cost
 * of entering and leaving C. The other calls add the kernel's work.
 *
 * <p>Trap: A call site is slower if it has called two implementations of {@link Kernel}. A real server has only one. Therefore each binding
 * has its own class, and so its own JVMs.
 */
public abstract class KernelDowncalls {
    private final String binding;
    private final ByteBuffer event =
            ByteBuffer.allocateDirect(EpollEvent.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private Kernel kernel;
    private long eventAddress;
    private int epollFd;
    private int eventFd;

    private int noFd = -1;

    protected KernelDowncalls(String binding) {
        this.binding = binding;
    }

    @Setup
    public void open() throws IOException, KernelUnavailableException {
        kernel = Kernels.named(binding);
        eventAddress = kernel.addressOf(event);
        epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        eventFd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        event.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLIN);
        Errno.check("epoll_ctl", kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_ADD, eventFd, eventAddress));
    }

    @TearDown
    public void close() {
        kernel.close(eventFd);
        kernel.close(epollFd);
    }

    @Benchmark
    public int getpagesize() {
        return kernel.getpagesize();
    }

    /** Cost of a call that fails at once. It includes reading errno. */
    @Benchmark
    public int closeThatFails() {
        return kernel.close(noFd);
    }

    @Benchmark
    public int epollCtlMod() {
        return kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_MOD, eventFd, eventAddress);
    }

    @Benchmark
    public int epollWaitWithoutWaiting() {
        return kernel.epollWait(epollFd, eventAddress, 1, 0);
    }

    /** Makes the same system call as {@link #epollWaitWithoutWaiting}. But Panama links the function as one that never blocks. */
    @Benchmark
    public int epollPoll() {
        return kernel.epollPoll(epollFd, eventAddress, 1);
    }
}
