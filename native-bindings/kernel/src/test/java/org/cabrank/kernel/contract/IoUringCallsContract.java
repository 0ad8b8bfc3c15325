package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.contract.SmallRing.Completion;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.kernel.layout.IoUringParams;
import org.cabrank.kernel.layout.IoUringProbe;
import org.cabrank.kernel.layout.IoUringRsrcUpdate;
import org.cabrank.kernel.layout.IoUringSqe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** io_uring's three calls: what they take, what they return, and the errors that they refuse with. */
public abstract class IoUringCallsContract extends IoUringContract {
    private static final int UNKNOWN_FLAG = 1 << 30;
    private static final int OPERATIONS_MAX = 256;
    private static final long DATA = 0xfedc_ba98_7654_3210L;

    @Test
    void setupWritesBackWhatItGrants() {
        ByteBuffer params = params(IoUring.IORING_SETUP_CQSIZE).putInt(IoUringParams.CQ_ENTRIES_OFFSET, 100);
        opened(kernel().ioUringSetup(5, address(params)));
        assertEquals(8, params.getInt(IoUringParams.SQ_ENTRIES_OFFSET));
        assertEquals(128, params.getInt(IoUringParams.CQ_ENTRIES_OFFSET));
        assertTrue((params.getInt(IoUringParams.FEATURES_OFFSET) & IoUring.IORING_FEAT_NODROP) != 0);
    }

    @Test
    void setupRefusesNonsense() {
        assertErrno(Errno.EINVAL, kernel().ioUringSetup(0, address(params(0))));
        assertErrno(Errno.EFAULT, kernel().ioUringSetup(ENTRIES, 1));
        assertErrno(Errno.EINVAL, setup(params(UNKNOWN_FLAG)));
        assertErrno(Errno.EINVAL, setup(params(IoUring.IORING_SETUP_SQ_AFF)));
        assertErrno(Errno.EINVAL, kernel().ioUringSetup(1 << 20, address(params(0))));
        opened(kernel().ioUringSetup(1 << 20, address(params(IoUring.IORING_SETUP_CLAMP))));
    }

    @Test
    void enterAndRegisterWantARing() {
        // -1 says to io_uring_register that no ring is meant.
        for (int none : new int[] {-2, Integer.MAX_VALUE}) {
            assertErrno(Errno.EBADF, kernel().ioUringEnter(none, 0, 0, 0, 0, 0));
            assertErrno(Errno.EBADF, kernel().ioUringRegister(none, IoUring.IORING_UNREGISTER_EVENTFD, 0, 0));
        }
        int other = opened(kernel().eventfd(0, 0));
        assertErrno(Errno.EOPNOTSUPP, kernel().ioUringEnter(other, 0, 0, 0, 0, 0));
        assertErrno(Errno.EOPNOTSUPP, kernel().ioUringRegister(other, IoUring.IORING_UNREGISTER_EVENTFD, 0, 0));
    }

    @Test
    void enterAndRegisterRefuseNonsense() {
        assertErrno(Errno.EINVAL, kernel().ioUringEnter(ring.fd(), 0, 0, UNKNOWN_FLAG, 0, 0));
        assertErrno(Errno.EINVAL, kernel().ioUringRegister(ring.fd(), 10_000, 0, 0));
        assertErrno(Errno.ENXIO, kernel().ioUringRegister(ring.fd(), IoUring.IORING_UNREGISTER_FILES, 0, 0));
        assertErrno(
                Errno.EFAULT, kernel().ioUringRegister(ring.fd(), IoUring.IORING_REGISTER_PROBE, 1, OPERATIONS_MAX));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                IoUring.IORING_SETUP_NO_SQARRAY,
                IoUring.IORING_SETUP_SINGLE_ISSUER | IoUring.IORING_SETUP_DEFER_TASKRUN
            })
    void submissionsComeBackAsCompletions(int flags) {
        SmallRing made = ring(flags);
        for (int i = 0; i < 3; i++) {
            made.sqe(IoUring.IORING_OP_NOP, -1, 0, 0, DATA + i);
        }
        assertEquals(3, made.enter(3));
        assertEquals(0, made.pending());
        for (int i = 0; i < 3; i++) {
            assertEquals(new Completion(DATA + i, 0), made.take());
        }
        assertEquals(0, made.available());
    }

    @Test
    void noMoreIsSubmittedThanIsAskedFor() {
        for (int i = 0; i < ENTRIES; i++) {
            ring.sqe(IoUring.IORING_OP_NOP, -1, 0, 0, i);
        }
        ring.publish();
        assertEquals(3, kernel().ioUringEnter(ring.fd(), 3, 0, 0, 0, 0));
        assertEquals(ENTRIES - 3, ring.pending());
        assertEquals(ENTRIES - 3, ring.enter(0));
    }

    @Test
    void failureOfAnOperationIsTheResultOfItsCompletion() {
        ring.sqe(IoUring.IORING_OP_CLOSE, Integer.MAX_VALUE, 0, 0, DATA);
        assertEquals(1, ring.enter(1));
        assertEquals(new Completion(DATA, -Errno.EBADF), ring.take());
    }

    @Test
    void waitingEndsWhenTheTimeIsOver() {
        long start = System.nanoTime();
        assertErrno(Errno.ETIME, ring.enter(1, 0, 20_000_001));
        long waitedNs = System.nanoTime() - start;
        assertEquals(20_000_001, Math.min(waitedNs, 20_000_001), "waited for less than was asked");
    }

    @Test
    void waitingRefusesNonsense() {
        ByteBuffer argument = memory(IoUringGeteventsArg.SIZE_BYTES);
        int flags = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG;
        // The size is the last of the arguments: none of them is lost.
        for (int bytes : new int[] {0, 16, 25, 1 << 16}) {
            assertErrno(Errno.EINVAL, kernel().ioUringEnter(ring.fd(), 0, 1, flags, address(argument), bytes));
        }
        assertErrno(Errno.EFAULT, kernel().ioUringEnter(ring.fd(), 0, 1, flags, 1, IoUringGeteventsArg.SIZE_BYTES));
    }

    @Test
    void waitingEndsWhenAnotherThreadSignals() throws Exception {
        int fd = opened(kernel().eventfd(0, 0));
        ring.sqe(IoUring.IORING_OP_POLL_ADD, fd, 0, 0, DATA).putInt(IoUringSqe.OP_FLAGS_OFFSET, Epoll.EPOLLIN);
        CompletableFuture<Integer> waited = CompletableFuture.supplyAsync(() -> ring.enter(1));
        assertEquals(Long.BYTES, kernel().write(fd, address(memory(Long.BYTES).putLong(0, 1)), Long.BYTES));
        assertEquals(1, waited.get(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals(new Completion(DATA, Epoll.EPOLLIN), ring.take());
    }

    /** Since 6.12. */
    @Test
    void oneCompletionIsEnoughWhenTheLeastWaitIsOver() {
        SmallRing made = ring(IoUring.IORING_SETUP_SINGLE_ISSUER | IoUring.IORING_SETUP_DEFER_TASKRUN);
        assumeTrue(
                made.hasFeature(IoUring.IORING_FEAT_MIN_TIMEOUT),
                "this kernel has no least wait: it is of before 6.12");
        ByteBuffer patience = memory(TimeSpec.SIZE_BYTES).putLong(TimeSpec.SEC_OFFSET, PATIENCE_MS / 1_000);
        ByteBuffer argument = memory(IoUringGeteventsArg.SIZE_BYTES)
                .putInt(IoUringGeteventsArg.MIN_WAIT_USEC_OFFSET, 20_000)
                .putLong(IoUringGeteventsArg.TS_OFFSET, address(patience));
        made.sqe(IoUring.IORING_OP_NOP, -1, 0, 0, DATA);
        made.publish();
        long start = System.nanoTime();
        int flags = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_EXT_ARG;
        assertEquals(
                1, kernel().ioUringEnter(made.fd(), 1, 2, flags, address(argument), IoUringGeteventsArg.SIZE_BYTES));
        long waitedNs = System.nanoTime() - start;
        assertEquals(20_000_000, Math.min(waitedNs, 20_000_000), "waited for less than was asked");
        assertEquals(new Completion(DATA, 0), made.take());
    }

    @Test
    void probeTellsTheOperationsThatTheKernelHas() {
        ByteBuffer probe = memory(IoUringProbe.OPS_OFFSET + OPERATIONS_MAX * IoUringProbe.OP_SIZE_BYTES);
        good(kernel().ioUringRegister(ring.fd(), IoUring.IORING_REGISTER_PROBE, address(probe), OPERATIONS_MAX));
        int last = probe.get(IoUringProbe.LAST_OP_OFFSET) & 0xff;
        assertEquals(last + 1, probe.get(IoUringProbe.OPS_LEN_OFFSET) & 0xff);
        assertTrue(last >= IoUring.IORING_OP_ACCEPT, "last operation " + last);
        for (int opcode = 0; opcode <= last; opcode++) {
            int at = IoUringProbe.OPS_OFFSET + opcode * IoUringProbe.OP_SIZE_BYTES;
            assertEquals(opcode, probe.get(at + IoUringProbe.OP_OP_OFFSET));
        }
        int accept = IoUringProbe.OPS_OFFSET + IoUring.IORING_OP_ACCEPT * IoUringProbe.OP_SIZE_BYTES;
        assertEquals(IoUring.IO_URING_OP_SUPPORTED, (int) probe.getShort(accept + IoUringProbe.OP_FLAGS_OFFSET));
    }

    @Test
    void disabledRingIsEnabledBeforeItIsUsed() {
        SmallRing made = ring(IoUring.IORING_SETUP_R_DISABLED);
        made.sqe(IoUring.IORING_OP_NOP, -1, 0, 0, DATA);
        assertErrno(Errno.EBADFD, made.enter(1));
        good(kernel().ioUringRegister(made.fd(), IoUring.IORING_REGISTER_ENABLE_RINGS, 0, 0));
        assertEquals(1, made.enter(1));
        assertEquals(new Completion(DATA, 0), made.take());
    }

    @Test
    void ringIsEnteredByItsRegisteredIndex() {
        ByteBuffer update = memory(IoUringRsrcUpdate.SIZE_BYTES)
                .putInt(IoUringRsrcUpdate.OFFSET_OFFSET, -1)
                .putLong(IoUringRsrcUpdate.DATA_OFFSET, ring.fd());
        int registered = kernel().ioUringRegister(ring.fd(), IoUring.IORING_REGISTER_RING_FDS, address(update), 1);
        assertEquals(1, good(registered));
        int index = update.getInt(IoUringRsrcUpdate.OFFSET_OFFSET);
        ring.sqe(IoUring.IORING_OP_NOP, -1, 0, 0, DATA);
        ring.publish();
        int flags = IoUring.IORING_ENTER_GETEVENTS | IoUring.IORING_ENTER_REGISTERED_RING;
        assertEquals(1, kernel().ioUringEnter(index, 1, 1, flags, 0, 0));
        assertEquals(new Completion(DATA, 0), ring.take());
        update.putLong(IoUringRsrcUpdate.DATA_OFFSET, 0);
        good(kernel().ioUringRegister(ring.fd(), IoUring.IORING_UNREGISTER_RING_FDS, address(update), 1));
        assertErrno(Errno.EBADF, kernel().ioUringEnter(index, 0, 0, flags, 0, 0));
    }
}
