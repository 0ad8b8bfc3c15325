package org.cabrank.iouring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.CompletionQueue;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.HandleSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of submitting requests to a ring and reaping their completions.
 *
 * <p>Trap: A NOP completes during its submission. So it does not show the cost of completions that the kernel defers until the thread
 * asks for them (DEFER_TASKRUN). {@link #readThatWaits} shows this cost.
 */
@State(Scope.Thread)
public class RingBenchmark {
    private static final int BATCH = 32;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    private Kernel kernel;
    private Ring ring;
    private int eventFd;
    private long one;
    private long received;

    /** Returns null, or the reason why rings are unavailable. */
    public static String refusal() {
        try {
            Ring.open(Kernels.system(), RingOptions.DEFAULT).close();
            return null;
        } catch (IOException refused) {
            return refused.getMessage();
        }
    }

    /** Called by the benchmark's thread, which owns the ring. */
    @Setup
    public void open() throws IOException {
        kernel = Kernels.system();
        one = kernel.addressOf(memory);
        received = one + 16;
        memory.putLong(0, 1);
        eventFd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC));
        ring = Ring.open(kernel, RingOptions.DEFAULT);
        ring.enableHere();
    }

    @TearDown
    public void close() {
        ring.close();
        kernel.close(eventFd);
    }

    /** Costs one system call. */
    @Benchmark
    public long nop() {
        addNop(7);
        return reap(1);
    }

    /** Costs one system call for 32 operations. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long nopsOf32() {
        for (int i = 0; i < BATCH; i++) {
            addNop(i);
        }
        return reap(BATCH);
    }

    /** Makes no system call. Shows the cost of spinning. */
    @Benchmark
    public int reapNothing() {
        return ring.reap();
    }

    /** Makes three system calls. They submit a read that waits in the kernel, write, and wait for the completion. */
    @Benchmark
    public long readThatWaits() {
        ring.submissions()
                .append(
                        SubmissionWriter.first(IoUring.IORING_OP_READ, 0, 0, SubmissionWriter.descriptor(eventFd)),
                        0,
                        received,
                        Long.BYTES,
                        7,
                        0);
        int submitted = ring.submit();
        int written = kernel.write(eventFd, one, Long.BYTES);
        if (submitted != 1 || written != Long.BYTES) {
            throw new IllegalStateException("io_uring_enter " + submitted + ", write " + written);
        }
        return reap(1);
    }

    private void addNop(long userData) {
        ring.submissions().append(IoUring.IORING_OP_NOP, 0, 0, 0, userData, 0);
    }

    private long reap(int wanted) {
        CompletionQueue completions = ring.completions();
        for (int available = 0; available < wanted; available = ring.await(wanted, 0, HandleSet.FOREVER)) {
            if (available < 0) {
                throw new IllegalStateException("io_uring_enter: " + Errno.describe(-available));
            }
        }
        long sum = 0;
        for (int i = 0; i < wanted; i++) {
            if (completions.result(i) < 0) {
                throw new IllegalStateException("a request failed: " + Errno.describe(-completions.result(i)));
            }
            sum += completions.userData(i);
        }
        completions.advance(wanted);
        return sum;
    }
}
