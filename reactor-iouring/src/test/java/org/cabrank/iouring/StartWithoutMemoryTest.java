package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.OpenDescriptors;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.ThreadPlacement;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;
import org.junit.jupiter.api.Test;

/** A reactor over rings that cannot get its memory is unavailable, and leaves nothing open. */
class StartWithoutMemoryTest {
    /** Named bound: more allocations than it takes to make two shards. */
    private static final int ALLOCATIONS_MAX = 200;

    /** A kernel whose n-th look at a direct buffer finds that there was no memory for the buffer. */
    private static final class StarvedKernel extends AccountingKernel {
        private final int starvedAt;
        private int allocations;

        StarvedKernel(Kernel next, int starvedAt) {
            super(next);
            this.starvedAt = starvedAt;
        }

        @Override
        public long addressOf(ByteBuffer direct) {
            if (++allocations == starvedAt) {
                throw new OutOfMemoryError("Cannot reserve 1 byte of direct buffer memory, on purpose");
            }
            return next().addressOf(direct);
        }

        boolean wasStarved() {
            return allocations >= starvedAt;
        }
    }

    private static StreamSettings settings() {
        return new StreamSettings(
                2, 1, false, Deactivation.CLAIM, StreamLimits.DEFAULT, StreamTimeouts.DEFAULT, ThreadPlacement.NONE);
    }

    private static StreamBackend open(Kernel kernel) throws IOException {
        return new IoUringBackendProvider(kernel, Rings.SMALL).open(settings());
    }

    @Test
    void whicheverAllocationFailsTheBackendIsUnavailableAndLeavesNothingOpen() throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close(); // skips where there is no io_uring
        int before = OpenDescriptors.count();
        int refused = 0;
        for (int nth = 1; ; nth++) {
            assertTrue(nth < ALLOCATIONS_MAX, "more allocations than expected");
            StarvedKernel kernel = new StarvedKernel(TestKernel.any(), nth);
            try (StreamBackend opened = open(kernel)) {
                assertEquals(2, opened.shards().size());
                if (!kernel.wasStarved()) {
                    break;
                }
            } catch (BackendUnavailableException unavailable) {
                refused++;
                assertTrue(unavailable.getMessage().contains("-XX:MaxDirectMemorySize"), unavailable.getMessage());
            }
            assertEquals("", kernel.kept(), "after allocation " + nth + " failed");
        }
        assertTrue(refused > 10, () -> "only some allocations were seen to fail");
        assertEquals(before, OpenDescriptors.count());
    }

    @Test
    void whicheverCallForMemoryFailsTheBackendIsUnavailableAndLeavesNothingOpen() throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        for (int nth = 1; ; nth++) {
            assertTrue(nth < ALLOCATIONS_MAX, "more calls than expected");
            AccountingKernel kernel = new AccountingKernel(TestKernel.any()).refuse(nth, Errno.ENOMEM);
            try (StreamBackend opened = open(kernel)) {
                assertEquals(2, opened.shards().size());
                if (!kernel.hasRefused()) {
                    break;
                }
            } catch (BackendUnavailableException unavailable) {
                assertTrue(unavailable.getMessage().contains("ENOMEM"), unavailable.getMessage());
            }
            assertEquals("", kernel.kept(), "after call " + nth + " failed");
        }
    }

    @Test
    void moreBuffersThanMemoryNameTheRemedy() throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        StarvedKernel kernel = new StarvedKernel(TestKernel.any(), 1);
        String message = assertThrows(BackendUnavailableException.class, () -> open(kernel))
                .getMessage();
        assertTrue(message.contains("receive buffers") && message.contains("withReceiveBuffers"), message);
    }
}
