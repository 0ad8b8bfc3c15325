package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.BackendUnavailableException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** The limits of the kernel's worker threads, as the kernel reports them for the thread that uses the ring. */
class WorkerLimitTest {
    private static final RingOptions LIMITED = Rings.SMALL.withWorkersMax(3, 5);

    private static List<Integer> limitsOfTheCallingThread(Ring ring) {
        ByteBuffer limits = ByteBuffer.allocateDirect(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
        long address = ring.kernel().addressOf(limits);
        assertEquals(0, ring.register(IoUring.IORING_REGISTER_IOWQ_MAX_WORKERS, address, 2));
        Reference.reachabilityFence(limits);
        return List.of(limits.getInt(0), limits.getInt(Integer.BYTES));
    }

    /** Threads of their own: the limits of a thread outlive its ring. */
    @Test
    void eachThreadOfTheRingIsLimited() throws Exception {
        TestThread.start("first", () -> limitsHoldHereAndElsewhere()).join();
    }

    private static void limitsHoldHereAndElsewhere() throws Exception {
        try (Ring ring = Rings.openDisabled(TestKernel.any(), LIMITED)) {
            TestThread.start("second", () -> {
                        ring.enableHere();
                        Rings.addNop(ring, 1);
                        assertEquals(List.of(1L), Rings.userData(Rings.awaitSome(ring)));
                        assertEquals(List.of(3, 5), limitsOfTheCallingThread(ring));
                    })
                    .join();
        }
    }

    @Test
    void aRefusalNamesTheCall() throws IOException {
        Rings.openDisabled(TestKernel.any(), Rings.SMALL).close();
        ForwardingKernel kernel = new ForwardingKernel(TestKernel.any()) {
            @Override
            public int ioUringRegister(int fd, int opcode, long arg, int count) {
                return opcode == IoUring.IORING_REGISTER_IOWQ_MAX_WORKERS
                        ? -Errno.EINVAL
                        : super.ioUringRegister(fd, opcode, arg, count);
            }
        };
        String message = Assertions.assertThrows(BackendUnavailableException.class, () -> Ring.open(kernel, LIMITED))
                .getMessage();
        assertTrue(message.contains("IOWQ_MAX_WORKERS"), message);
    }
}
