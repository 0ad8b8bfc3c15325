package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.cabrank.iouring.Completion;
import org.cabrank.iouring.OldKernel;
import org.cabrank.iouring.OldKernel.Version;
import org.cabrank.iouring.Rings;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

/** The operations of a restricted ring, as the kernel answers them. The contract holds in modes with restricted rings. */
class RingRestrictionsTest {
    private static final RingOptions RESTRICTED = Rings.SMALL.withRestricted(true);

    private static int resultOf(Ring ring, int opcode, int flags) {
        long first = SubmissionWriter.first(opcode, flags, 0, SubmissionWriter.descriptor(ring.fd()));
        ring.submissions().append(first, 0, 0, SubmissionWriter.halves(0, Epoll.EPOLLIN), 7, 0);
        Completion completed;
        do { // a zero-copy send completes twice
            completed = Rings.awaitSome(ring).get(0);
        } while ((completed.flags() & IoUring.IORING_CQE_F_NOTIF) != 0);
        return completed.result();
    }

    @Test
    void anOperationThatTheReactorDoesNotUseIsForbidden() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), RESTRICTED)) {
            assertEquals(-Errno.EACCES, resultOf(ring, IoUring.IORING_OP_NOP, 0));
            assertEquals(-Errno.EACCES, resultOf(ring, IoUring.IORING_OP_SEND_ZC, 0), "without zero copy");
            assertEquals(-Errno.EACCES, resultOf(ring, IoUring.IORING_OP_FILES_UPDATE, 0), "without files");
            assertEquals(-Errno.EACCES, resultOf(ring, IoUring.IORING_OP_SEND, IoUring.IOSQE_ASYNC));
            assertEquals(-Errno.ENOTSOCK, resultOf(ring, IoUring.IORING_OP_SEND, 0));
            assertEquals(-Errno.EACCES, ring.register(IoUring.IORING_REGISTER_PROBE, 0, 0));
            assertEquals(-Errno.EACCES, ring.register(IoUring.IORING_REGISTER_FILES2, 0, 0));
            assertEquals(0, ring.wake());
            assertEquals(Ring.WAKEUP, Rings.awaitSome(ring).get(0).userData());
        }
    }

    @Test
    void optionsAllowWhatTheyNeed() throws IOException {
        RingOptions more = RESTRICTED.withZeroCopyBytes(1).withRegisteredFiles(true);
        try (Ring ring = Rings.open(TestKernel.any(), more)) {
            assertEquals(-Errno.ENOTSOCK, resultOf(ring, IoUring.IORING_OP_SEND_ZC, 0));
            assertEquals(-Errno.EINVAL, resultOf(ring, IoUring.IORING_OP_FILES_UPDATE, 0), "of no files");
            assertEquals(-Errno.EBADF, resultOf(ring, IoUring.IORING_OP_SEND, IoUring.IOSQE_FIXED_FILE));
        }
    }

    /** A kernel refuses a restriction that names an operation which it does not know. */
    @Test
    void onlyOperationsThatTheKernelKnowsAreNamed() throws IOException {
        RingOptions more = RESTRICTED.withZeroCopyBytes(1);
        OldKernel kernel = new OldKernel(TestKernel.any(), Version.LINUX_6_0); // without SENDMSG_ZC
        try (Ring ring = Rings.open(kernel, more)) {
            assertEquals(-Errno.ENOTSOCK, resultOf(ring, IoUring.IORING_OP_SEND_ZC, 0));
            assertEquals(-Errno.EACCES, resultOf(ring, IoUring.IORING_OP_SENDMSG_ZC, 0));
        }
        assertTrue(kernel.kept().isEmpty(), kernel::kept);
    }
}
