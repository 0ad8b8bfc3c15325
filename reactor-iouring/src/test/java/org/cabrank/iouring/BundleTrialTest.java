package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

/** The trial for the receives of Linux 6.17. */
class BundleTrialTest {
    private static final int LIMIT_BYTES = 4 * BufferedSet.BUFFER_BYTES;

    /** The field that the trial uses means what the trial takes it for. */
    @Test
    void aReceiveEndsByItselfAtItsLimit() throws IOException {
        try (BufferedSet buffered = BufferedSet.open(TestKernel.any());
                TcpPair pair = new TcpPair(TestKernel.any())) {
            buffered.set().beginWatching();
            Ring ring = buffered.set().ring();
            assumeTrue(BundleTrial.passes(ring), "the kernel is older than 6.17");
            pair.send(new byte[2 * LIMIT_BYTES]);
            ring.submissions()
                    .receiveMultishot(SubmissionWriter.descriptor(pair.fd()), 0, LIMIT_BYTES, ReceiveBuffers.GROUP, 1);
            int received = 0;
            boolean more = true;
            while (more) {
                for (Completion completion : Rings.awaitSome(ring)) {
                    received += completion.result();
                    more = (completion.flags() & IoUring.IORING_CQE_F_MORE) != 0;
                }
            }
            assertEquals(LIMIT_BYTES, received);
        }
    }

    @Test
    void aKernelThatRefusesTheFieldFailsAndNothingIsLeftBehind() throws IOException {
        FaultyRings old = new FaultyRings(TestKernel.any()).refuseReceiveLimits();
        try (BufferedSet buffered = BufferedSet.open(old)) {
            buffered.set().beginWatching();
            assertFalse(BundleTrial.passes(buffered.set().ring()));
            assertEquals(0, buffered.set().ring().completions().available(), "what the trial has left behind");
        }
    }
}
