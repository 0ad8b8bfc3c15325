package org.cabrank.iouring;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.CompletionQueue;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionQueue;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.socket.contract.ChildJvm;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

/**
 * The path of every request: queue, submit and wait, harvest. Once compiled, nothing of it allocates. In a JVM of its own: what
 * other tests have run in a process decides what its compiler inlines, and what is not inlined may allocate.
 */
class RingAllocationTest {
    private static final int ROUNDS = 20_000;

    /** The user data of no request. */
    private static final long NO_REQUEST = Long.MAX_VALUE;

    /** Named bound: how often it is looked at least before it is said that not everything was compiled. */
    private static final int WINDOWS_MIN = 100;

    @Test
    void queueingWaitingAndHarvestingAllocateNothing() throws Exception {
        ChildJvm.assertOneSays("0 bytes a round", RingAllocationTest.class);
    }

    /** @param arguments none */
    public static void main(String[] arguments) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Ring ring = Rings.open(TestKernel.any(), RingOptions.DEFAULT)) {
            long perRound = Long.MAX_VALUE;
            long deadlineNs = System.nanoTime() + Rings.PATIENCE_NS / 2; // compilers have to share a busy machine
            for (int i = 0; perRound != 0 && (i < WINDOWS_MIN || System.nanoTime() - deadlineNs < 0); i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                run(ring, ROUNDS);
                perRound = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
            }
            System.out.println(perRound + " bytes a round");
        }
    }

    private static void run(Ring ring, int rounds) {
        SubmissionQueue submissions = ring.submissions();
        CompletionQueue completions = ring.completions();
        for (int i = 0; i < rounds; i++) {
            submissions.append(IoUring.IORING_OP_NOP, 0, 0, 0, i, 0);
            submissions.cancel(NO_REQUEST, i); // fails, and so completes
            int available = ring.await(2, 0, i % 2 == 0 ? HandleSet.FOREVER : 1_000_000_000);
            long sum = 0;
            for (int n = 0; n < available; n++) {
                sum += completions.userData(n) + completions.result(n) + completions.flags(n);
            }
            if (sum != 2L * i - Errno.ENOENT) {
                throw new AssertionError("completions of another round: " + sum);
            }
            completions.advance(available);
        }
    }
}
