package org.cabrank.iouring;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.socket.contract.DescriptorShortageContract;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/**
 * {@link DescriptorShortageContract} over io_uring, with a ring of one thread and with a shared one. No fault that is injected
 * into a system call reaches the accept requests of a ring, but a limit does.
 */
@Tag("newest") // on an older JDK in a soak only
class RingDescriptorShortageTest extends DescriptorShortageContract {
    private final AtomicBoolean refuses = new AtomicBoolean();

    @Override
    protected ReactorMode mode() {
        return RingModes.plain(this::newRings);
    }

    /** For each reactor another: faulty rings look at the first ring only. */
    private Kernel newRings() {
        return new FaultyRings(TestKernel.any()).showSubmissions(this::refuse);
    }

    @Override
    protected void refuseFirstConnection() {
        refuses.set(true);
    }

    /** The connection is to be put into the table of registered files, and there is none: ENFILE. */
    private void refuse(ByteBuffer submission) {
        if (submission.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_ACCEPT
                && refuses.compareAndSet(true, false)) {
            submission.putInt(IoUringSqe.OP_FLAGS_OFFSET, 0);
            submission.putInt(IoUringSqe.FILE_INDEX_OFFSET, IoUring.IORING_FILE_INDEX_ALLOC);
        }
    }
}
