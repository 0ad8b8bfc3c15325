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
import org.cabrank.lf.Ready;
import org.cabrank.lf.dispatch.Claim;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of keeping other threads from a handle that is being processed: a claim on a handle that stays armed, against
 * EPOLLONESHOT with an epoll_ctl(2) that re-arms the handle.
 *
 * <p>An operation is an event from beginning to end: a write to an eventfd, an epoll_wait(2) that reports it, a read, and
 * the deactivation. {@link #neither} has no deactivation; the difference from it is the price of each way.
 *
 * <p>Traps: arming a handle that is still readable would report the handle again, so the read precedes it, as in a handler.
 * A wait without an event would be cheaper, so each is checked.
 */
@State(Scope.Thread)
public class DeactivationBenchmark {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private final Claim claim = new Claim(false);
    private int ready = Ready.READ;

    private Kernel kernel;
    private int epollFd;
    private int eventFd;
    private long one;
    private long received;
    private long armed;

    @Setup
    public void open() throws IOException, KernelUnavailableException {
        kernel = Kernels.system();
        one = kernel.addressOf(memory);
        received = one + 16;
        armed = one + 32;
        memory.putLong(0, 1);
        epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        eventFd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC));
        arm(Epoll.EPOLL_CTL_ADD, Epoll.EPOLLIN | Epoll.EPOLLET);
    }

    /** Each iteration leaves the handle as the other benchmarks want it, in one JVM for all as in many. */
    @Setup(Level.Iteration)
    public void armForEdges() throws IOException {
        arm(Epoll.EPOLL_CTL_MOD, Epoll.EPOLLIN | Epoll.EPOLLET);
    }

    @TearDown
    public void close() {
        kernel.close(eventFd);
        kernel.close(epollFd);
    }

    private void arm(int operation, int interest) throws IOException {
        memory.putInt(32 + EpollEvent.EVENTS_OFFSET, interest);
        Errno.check("epoll_ctl", kernel.epollCtl(epollFd, operation, eventFd, armed));
    }

    @Benchmark
    public int neither() {
        return event();
    }

    @Benchmark
    public int claim() {
        return event() + claim.claimAndRelease(ready);
    }

    /** The first operation disarms nothing yet: the handle is armed for edges, and for one shot from then on. */
    @Benchmark
    public int oneshot() throws IOException {
        int events = event();
        arm(Epoll.EPOLL_CTL_MOD, Epoll.EPOLLIN | Epoll.EPOLLET | Epoll.EPOLLONESHOT);
        return events;
    }

    private int event() {
        int written = kernel.write(eventFd, one, Long.BYTES);
        int events = kernel.epollWait(epollFd, received, 1, 0);
        int read = kernel.read(eventFd, received, Long.BYTES);
        if (written != Long.BYTES || events != 1 || read != Long.BYTES) {
            throw new IllegalStateException("write " + written + ", epoll_wait " + events + ", read " + read);
        }
        return events;
    }
}
