package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.layout.IoUringParams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A kernel that refuses io_uring of itself, with nothing done to it: an emulated one, or one that was built without. */
@Timeout(300)
final class RefusingKernelTest {

    @Test
    void serverFallsBackToEpollWithTheKernelsOwnReason() throws Exception {
        Kernel kernel = Kernels.system();
        ByteBuffer params = ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES);
        int result = kernel.ioUringSetup(1, kernel.addressOf(params));
        if (result >= 0) {
            kernel.close(result);
        }
        assumeTrue(result < 0, "this kernel has io_uring");
        Fallback.assertFallsBack(List.of(), "(io_uring_setup: " + Errno.name(-result) + ")");
    }
}
