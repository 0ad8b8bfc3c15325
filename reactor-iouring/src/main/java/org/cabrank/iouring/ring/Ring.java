package org.cabrank.iouring.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.BackendUnavailableException;

/**
 * A submission queue and a completion queue, and the system call that serves both (io_uring(7), io_uring_enter(2)).
 *
 * <p>Submissions are queued without a system call. {@link #await} submits them, waits, and brings completions. Only one thread, the owner,
 * uses a ring. The owner is the first thread that calls {@link #enableHere}. The ring is made with {@code SINGLE_ISSUER | DEFER_TASKRUN} if
 * the kernel has these flags. The kernel then refuses other threads (EEXIST). {@link #close} is called when no thread uses the ring any
 * more. Only {@link #wake} may be called later.
 */
public final class Ring implements AutoCloseable {
    /** User data of completions that only end a wait. No other submission may have this value. */
    public static final long WAKEUP = -1L;

    /** Result of {@link #takeLastCall} for a call that the kernel has accepted. */
    public static final int TAKEN = 1;

    /** Time in ns after which a call is repeated if the kernel has refused it because memory was lacking. */
    public static final long RETRY_NS = 1_000_000;

    private final Kernel kernel;
    private final RingFeatures features;
    private final int fd;
    private final RingMemory memory;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;

    private final int waitFlags;

    private final Waker waker;
    private final WaitArgument waitArgument;

    private final Object control = new Object();

    private final List<BufferRing> adopted = new ArrayList<>();

    private boolean closed;

    /** True if this ring is closed, or if other code has closed its descriptor. Set under {@code control}. */
    private volatile boolean unusable;

    private volatile Thread owner;

    private int lastCall;

    private RegisteredDescriptor registered;

    /** The ring's descriptor, or its index among the owner's registered descriptors. */
    private int enterFd;

    private int enterFlags;

    Ring(
            Kernel kernel,
            RingFeatures features,
            int fd,
            RingMemory memory,
            ByteBuffer params,
            Waker waker,
            boolean ioWait) {
        this.kernel = kernel;
        this.features = features;
        this.fd = fd;
        this.memory = memory;
        this.waker = waker;
        this.submissions = new SubmissionQueue(this, memory, params);
        this.completions = new CompletionQueue(memory.rings(), params);
        this.waitFlags = features.noIoWait() && !ioWait
                ? IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_NO_IOWAIT
                : IoUring.IORING_ENTER_GETEVENTS;
        this.waitArgument = new WaitArgument(kernel);
        this.enterFd = fd;
    }

    /** @throws BackendUnavailableException if the kernel refuses the ring or lacks a feature. The message has the cause and the remedy. */
    public static Ring open(Kernel kernel, RingOptions options) throws BackendUnavailableException {
        return RingOpening.open(kernel, options);
    }

    public RingFeatures features() {
        return features;
    }

    public int fd() {
        return fd;
    }

    public Kernel kernel() {
        return kernel;
    }

    public SubmissionQueue submissions() {
        return submissions;
    }

    public CompletionQueue completions() {
        return completions;
    }

    /** Makes the caller the owner. Must be the owner's first call. Idempotent. Throws an exception if another thread is the owner. */
    public void enableHere() throws IOException {
        Thread caller = Thread.currentThread();
        if (owner == caller) {
            return;
        }
        synchronized (control) {
            if (owner != null) {
                throw foreign(caller);
            }
            if (closed) {
                throw new IOException(this + " is closed");
            }
            if ((features.setupFlags() & IoUring.IORING_SETUP_R_DISABLED) != 0) {
                Errno.check(
                        "io_uring_register of ENABLE_RINGS",
                        kernel.ioUringRegister(fd, IoUring.IORING_REGISTER_ENABLE_RINGS, 0, 0));
            }
            owner = caller;
            registered = RegisteredDescriptor.register(kernel, fd);
            if (registered != null) {
                enterFd = registered.index();
                enterFlags = IoUring.IORING_ENTER_REGISTERED_RING;
            }
            waker.enabled();
        }
    }

    public boolean isOwner() {
        return owner == Thread.currentThread();
    }

    private IOException foreign(Thread caller) {
        return new IOException(
                this + " cannot be used by " + caller.getName() + ": the kernel lets only one thread use a ring, "
                        + owner.getName() + "; serve the ring with one thread that stays, or use epoll");
    }

    /** Returns the exception for a {@code -errno} that ends the ring. The message names the owner if the caller is not the owner. */
    public IOException failure(int result) {
        Thread caller = Thread.currentThread();
        IOException refusal = Errno.exception("io_uring_enter", result);
        if (owner == null || owner == caller) {
            return refusal;
        }
        IOException foreign = foreign(caller);
        foreign.initCause(refusal);
        return foreign;
    }

    /** Submits without waiting. Returns the number of submissions that the kernel took, or {@code -errno}. The rest stays queued. */
    public int submit() {
        if (unusable) {
            return -Errno.EBADF;
        }
        int total = 0;
        int taken;
        do {
            submissions.refill();
            int queued = submissions.queued();
            taken = queued > 0 ? kernel.ioUringEnter(enterFd, queued, 0, enterFlags, 0, 0) : 0;
            total += Math.max(0, taken);
        } while (taken > 0 && submissions.pending() > 0);
        return taken < 0 ? taken : total;
    }

    /** Like {@link #await}, but does not wait. Makes no system call if nothing is queued and the kernel has raised no flag. */
    public int reap() {
        if (unusable) {
            return -Errno.EBADF;
        }
        waker.arm(submissions);
        submissions.refill();
        int toSubmit = submissions.queued();
        int flags = enterFlags | waitFlags;
        if (toSubmit == 0 && !submissions.eventsDue()) {
            return completions.available();
        }
        noteOverflow();
        int result = kernel.ioUringEnter(enterFd, toSubmit, 0, flags, 0, 0);
        lastCall = TAKEN;
        return result >= 0 ? completions.available() : availableAfter(result, 0);
    }

    /**
     * Submits, waits, and brings completions by one system call. Makes none if nothing is queued and enough completions are present.
     *
     * @param wanted number of completions to wait for, at least 1, counted from the head of the queue
     * @param minWaitNs time after which one completion is enough, or 0. A value above 0 requires {@link RingFeatures#minWait}
     * @param timeoutNs maximum time to wait, or {@link HandleSet#FOREVER}. With 0, the call does the same as {@link #reap}
     * @return the number of completions to read. It may be 0, even before the timeout. If the ring cannot serve any more, {@code -errno}:
     *     EBADR if completions were lost, EEXIST if the caller is not the owner, EBADFD if {@link #enableHere} was not called, EBADF if the
     *     ring or its descriptor is closed
     */
    public int await(int wanted, long minWaitNs, long timeoutNs) {
        if (timeoutNs == 0) {
            return reap();
        }
        if (unusable) {
            return -Errno.EBADF;
        }
        waker.arm(submissions);
        submissions.refill();
        long waitNs = submissions.backlogged() == 0 ? timeoutNs : Math.min(timeoutNs, submitBacklog());
        int toSubmit = submissions.queued();
        int flags = enterFlags | waitFlags;
        int available = completions.available();
        if (available >= wanted && toSubmit == 0) {
            return available;
        }
        noteOverflow();
        long argument = 0;
        int argumentBytes = 0;
        if (waitNs != HandleSet.FOREVER || minWaitNs != 0) {
            flags |= IoUring.IORING_ENTER_EXT_ARG;
            argument = waitArgument.set(minWaitNs, waitNs);
            argumentBytes = WaitArgument.SIZE_BYTES;
        }
        // This call serves waits with and without a timeout. A second call, used only rarely, would not be inlined, and
        // would allocate.
        int result = kernel.ioUringEnter(enterFd, toSubmit, wanted, flags, argument, argumentBytes);
        lastCall = TAKEN;
        return result >= 0 ? completions.available() : availableAfter(result, waitNs);
    }

    private void noteOverflow() {
        if (completions.overflowed()) {
            completions.noteOverflow();
        }
    }

    /** Returns the maximum time to wait, which is short if a backlog is left. */
    private long submitBacklog() {
        submit();
        return submissions.backlogged() == 0 ? HandleSet.FOREVER : RETRY_NS;
    }

    private int availableAfter(int failure, long waitNs) {
        EnterOutcome outcome = EnterOutcome.of(-failure);
        if (outcome == EnterOutcome.BROKEN) {
            return failure;
        }
        if (outcome == EnterOutcome.PASSING) {
            lastCall = failure;
            if (waitNs != 0 && completions.available() == 0) {
                pause(Math.min(waitNs, RETRY_NS));
            }
        }
        return completions.available();
    }

    /** Returns {@link #TAKEN} or {@code -errno}. Returns 0 if there was no system call since the last query. */
    public int takeLastCall() {
        int last = lastCall;
        lastCall = 0;
        return last;
    }

    /** Called after a refused call. Waits for a completion for at most {@code pauseNs}. Submits nothing. */
    private void pause(long pauseNs) {
        int result = kernel.ioUringEnter(
                enterFd,
                0,
                1,
                enterFlags | waitFlags | IoUring.IORING_ENTER_EXT_ARG,
                waitArgument.set(0, pauseNs),
                WaitArgument.SIZE_BYTES);
        if (result < 0 && EnterOutcome.of(-result) == EnterOutcome.PASSING) {
            LockSupport.parkNanos(pauseNs);
        }
    }

    /**
     * Ends the owner's present or next wait by a completion of {@link #WAKEUP}. Any thread may call this. No effect after {@link #close}.
     *
     * @return 0, or {@code -errno} if no thread was woken. EBADF and EBADFD mean that the descriptor does not belong to this ring any more.
     *     All later calls then fail with EBADF, although the kernel would accept them from the owner, which has registered the descriptor
     */
    public int wake() {
        synchronized (control) {
            if (closed) {
                return 0;
            }
            int result = waker.wake();
            if (Waker.isRingGone(result)) {
                unusable = true;
                waker.wake(); // again: a thread that was woken before the flag was set may be waiting
            }
            return result;
        }
    }

    /** Called for each completion with user data {@link #WAKEUP}. */
    public void woken(int result, int flags) {
        waker.harvested(result, flags);
    }

    /** Calls io_uring_register(2). After {@link #enableHere}, the kernel refuses all threads but the owner (EEXIST). */
    public int register(int opcode, long arg, int count) {
        return unusable ? -Errno.EBADF : kernel.ioUringRegister(fd, opcode, arg, count);
    }

    void adopt(BufferRing buffers) {
        synchronized (control) {
            adopted.add(buffers);
        }
    }

    /** Called when no thread submits or waits any more. Only {@link #wake} may be called at the same time or later. Idempotent. */
    @Override
    public void close() {
        boolean ours;
        synchronized (control) {
            if (closed) {
                return;
            }
            closed = true;
            ours = !unusable;
            unusable = true;
            if (registered != null && owner == Thread.currentThread()) {
                registered.unregister();
            }
            waker.close();
        }
        submissions.close();
        memory.close();
        if (ours) { // otherwise another file may have this number now
            kernel.close(fd);
        }
        adopted.forEach(BufferRing::release);
    }

    @Override
    public String toString() {
        return "ring fd " + fd;
    }
}
