package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

/** Amount that a peer can have received before anybody looks. */
class ReceiveLimitTest {
    private static final int LIMIT_BYTES = 4 * BufferedSet.BUFFER_BYTES;

    @Test
    void aReceiveEndsByItselfAtItsLimit() throws IOException {
        try (BufferedSet buffered = BufferedSet.open(TestKernel.any(), RingMode.SHARED);
                TcpPair pair = new TcpPair(TestKernel.any())) {
            Ring ring = buffered.set().ring();
            int limitBytes = ReceiveLimit.of(ring, LIMIT_BYTES);
            assumeTrue(limitBytes != ReceiveLimit.NONE, "the kernel is older than 6.17");
            assertEquals(LIMIT_BYTES, limitBytes);
            pair.send(new byte[2 * LIMIT_BYTES]);
            ring.submissions()
                    .receiveMultishot(SubmissionWriter.descriptor(pair.fd()), 0, limitBytes, ReceiveBuffers.GROUP, 1);
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
    void aKernelThatRefusesTheFieldIsAskedForNoLimit() throws IOException {
        FaultyRings old = new FaultyRings(TestKernel.any()).refuseReceiveLimits();
        try (BufferedSet buffered = BufferedSet.open(old, RingMode.SHARED)) {
            assertEquals(ReceiveLimit.NONE, buffered.buffers().limitBytes());
            assertEquals(0, buffered.set().ring().completions().available(), "what the trial has left behind");
        }
    }

    @Test
    void theOwnerOfARingReceivesOnlyWhileItWaits() throws IOException {
        try (BufferedSet buffered = BufferedSet.open()) {
            assertEquals(ReceiveLimit.NONE, buffered.buffers().limitBytes());
        }
    }
}
