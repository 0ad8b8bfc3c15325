package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.cabrank.descriptor.contract.TestKernel;
import org.cabrank.kernel.IoUring;
import org.cabrank.lf.HandleSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The path of every request: queue, submit and wait, harvest. Once compiled, nothing of it allocates. */
class RingAllocationTest {
    private static final int ROUNDS = 20_000;

    /** Named bound: how often it is looked at least before it is said that not everything was compiled. */
    private static final int WINDOWS_MIN = 100;

    @ParameterizedTest
    @EnumSource
    void queueingWaitingAndHarvestingAllocateNothing(RingMode mode) throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Ring ring = Rings.open(TestKernel.any(), mode, RingOptions.DEFAULT)) {
            long perRound = Long.MAX_VALUE;
            long deadlineNs = System.nanoTime() + Rings.PATIENCE_NS; // compilers have to share a busy machine
            for (int i = 0; perRound != 0 && (i < WINDOWS_MIN || System.nanoTime() < deadlineNs); i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                run(ring, ROUNDS);
                perRound = (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS;
            }
            assertEquals(0, perRound, "bytes a round");
        }
    }

    private static void run(Ring ring, int rounds) {
        SubmissionQueue submissions = ring.submissions();
        CompletionQueue completions = ring.completions();
        for (int i = 0; i < rounds; i++) {
            submissions.add(IoUring.IORING_OP_NOP, 0, 0, -1, 0, 0, 0, 0, i, 0, 0);
            submissions.add(IoUring.IORING_OP_NOP, 0, 0, -1, 0, 0, 0, 0, i, 0, 0);
            int available = ring.await(2, 0, i % 2 == 0 ? HandleSet.FOREVER : 1_000_000_000);
            long sum = 0;
            for (int n = 0; n < available; n++) {
                sum += completions.userData(n) + completions.result(n) + completions.flags(n);
            }
            if (sum != 2L * i) {
                throw new AssertionError("completions of another round: " + sum);
            }
            completions.advance(available);
        }
    }
}
