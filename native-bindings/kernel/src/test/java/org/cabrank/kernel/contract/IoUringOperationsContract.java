package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.contract.SmallRing.Completion;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.kernel.layout.IoUringSyncCancelReg;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations that use every field of a submission and of the structs beside it: each must be where the kernel looks. */
public abstract class IoUringOperationsContract extends IoUringContract {
    private static final long DATA = 0xfedc_ba98_7654_3210L;
    private static final long OTHER_DATA = ~DATA;

    @Test
    void dataIsWrittenAndReadAtItsOffset(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("file");
        int flags = FileFlags.O_RDWR | FileFlags.O_CREAT;
        int fd = opened(kernel().open(address(zeroTerminated(path)), flags, 0_600));
        ring.sqe(IoUring.IORING_OP_WRITE, fd, address(memory("data")), 4, DATA).putLong(IoUringSqe.OFF_OFFSET, 3);
        assertEquals(new Completion(DATA, 4), only());
        assertEquals("\0\0\0data", Files.readString(path));
        ByteBuffer into = memory(8);
        ring.sqe(IoUring.IORING_OP_READ, fd, address(into), 8, DATA).putLong(IoUringSqe.OFF_OFFSET, 5);
        assertEquals(new Completion(DATA, 2), only());
        assertEquals("ta", text(into, 2));
    }

    @Test
    void pollIsReportedAgainAndAgainUntilItIsCancelled() {
        int fd = opened(kernel().eventfd(0, 0));
        ring.sqe(IoUring.IORING_OP_POLL_ADD, fd, 0, IoUring.IORING_POLL_ADD_MULTI, DATA)
                .putInt(IoUringSqe.OP_FLAGS_OFFSET, Epoll.EPOLLIN | Epoll.EPOLLET);
        assertEquals(1, ring.enter(0));
        for (int i = 0; i < 3; i++) {
            signal(fd);
            assertEquals(0, ring.enter(1));
            assertEquals(new Completion(DATA, Epoll.EPOLLIN, IoUring.IORING_CQE_F_MORE), ring.take());
            assertEquals(0, ring.available());
        }
        ring.sqe(IoUring.IORING_OP_ASYNC_CANCEL, -1, DATA, 0, OTHER_DATA);
        assertEquals(1, ring.enter(2));
        assertUnordered(new Completion(DATA, -Errno.ECANCELED), new Completion(OTHER_DATA, 0));
    }

    @Test
    void registerWaitsForWhatItCancels() {
        int fd = opened(kernel().eventfd(0, 0));
        ring.sqe(IoUring.IORING_OP_POLL_ADD, fd, 0, 0, DATA).putInt(IoUringSqe.OP_FLAGS_OFFSET, Epoll.EPOLLIN);
        assertEquals(1, ring.enter(0));
        ByteBuffer cancel = memory(IoUringSyncCancelReg.SIZE_BYTES)
                .putLong(IoUringSyncCancelReg.ADDR_OFFSET, DATA)
                .putLong(IoUringSyncCancelReg.TIMEOUT_OFFSET + TimeSpec.SEC_OFFSET, -1)
                .putLong(IoUringSyncCancelReg.TIMEOUT_OFFSET + TimeSpec.NSEC_OFFSET, -1);
        int opcode = IoUring.IORING_REGISTER_SYNC_CANCEL;
        good(kernel().ioUringRegister(ring.fd(), opcode, address(cancel), 1));
        assertEquals(0, ring.enter(1));
        assertEquals(new Completion(DATA, -Errno.ECANCELED), ring.take());
        assertErrno(Errno.ENOENT, kernel().ioUringRegister(ring.fd(), opcode, address(cancel), 1));
    }

    @Test
    void messageIsGatheredAndScattered() {
        int[] ends = connected();
        ByteBuffer parts = iovecs(memory("one, "), memory("two"));
        ring.sqe(IoUring.IORING_OP_SENDMSG, ends[0], address(message(parts)), 1, DATA);
        assertEquals(new Completion(DATA, 8), only());
        ByteBuffer first = memory(3);
        ByteBuffer second = memory(8);
        ByteBuffer message = message(iovecs(first, second));
        ring.sqe(IoUring.IORING_OP_RECVMSG, ends[1], address(message), 1, DATA);
        Completion received = only();
        assertEquals(8, received.res());
        assertEquals("one, two", text(first, 3) + text(second, 5));
        assertEquals(0, message.getInt(MsgHdr.FLAGS_OFFSET));
    }

    private ByteBuffer message(ByteBuffer iovecs) {
        return memory(MsgHdr.SIZE_BYTES)
                .putLong(MsgHdr.IOV_OFFSET, address(iovecs))
                .putLong(MsgHdr.IOVLEN_OFFSET, iovecs.capacity() / IoVec.SIZE_BYTES);
    }

    private ByteBuffer iovecs(ByteBuffer... parts) {
        ByteBuffer iovecs = memory(parts.length * IoVec.SIZE_BYTES);
        for (int i = 0; i < parts.length; i++) {
            iovecs.putLong(i * IoVec.SIZE_BYTES + IoVec.BASE_OFFSET, address(parts[i]));
            iovecs.putLong(i * IoVec.SIZE_BYTES + IoVec.LEN_OFFSET, parts[i].capacity());
        }
        return iovecs;
    }

    @Test
    void completionIsSentToAnotherRing() {
        SmallRing other = ring(0);
        ring.sqe(IoUring.IORING_OP_MSG_RING, other.fd(), IoUring.IORING_MSG_DATA, 4_242, OTHER_DATA)
                .putLong(IoUringSqe.OFF_OFFSET, DATA);
        assertEquals(new Completion(OTHER_DATA, 0), only());
        assertEquals(0, other.enter(1));
        assertEquals(new Completion(DATA, 4_242), other.take());
    }

    /** Since 6.13. */
    @Test
    void completionIsSentToARingByAThreadThatHasNone() {
        ByteBuffer message = memory(IoUringSqe.SIZE_BYTES)
                .put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_MSG_RING)
                .putInt(IoUringSqe.FD_OFFSET, ring.fd())
                .putInt(IoUringSqe.LEN_OFFSET, 4_242)
                .putLong(IoUringSqe.OFF_OFFSET, DATA);
        int sent = kernel().ioUringRegister(-1, IoUring.IORING_REGISTER_SEND_MSG_RING, address(message), 1);
        assertEquals(0, granted(OPERATION_OF_6_15, "a message to a ring from no ring", sent));
        assertEquals(0, ring.enter(1));
        assertEquals(new Completion(DATA, 4_242), ring.take());
    }

    @Test
    void successIsSkippedWhereItIsNotWanted() {
        for (int fd : new int[] {opened(kernel().eventfd(0, 0)), -1}) {
            ring.sqe(IoUring.IORING_OP_WRITE, fd, address(memory(Long.BYTES)), Long.BYTES, DATA)
                    .put(IoUringSqe.FLAGS_OFFSET, (byte) IoUring.IOSQE_CQE_SKIP_SUCCESS);
        }
        assertEquals(2, ring.enter(1));
        assertEquals(new Completion(DATA, -Errno.EBADF), ring.take());
        assertEquals(0, ring.available());
    }

    /** Submits what is pending, waits for its completion, and there is no other. */
    private Completion only() {
        assertEquals(1, ring.enter(1));
        Completion completion = ring.take();
        assertEquals(0, ring.available());
        return completion;
    }

    private void assertUnordered(Completion one, Completion other) {
        Completion first = ring.take();
        assertEquals(first.equals(one) ? one : other, first);
        assertEquals(first.equals(one) ? other : one, ring.take());
    }

    private void signal(int fd) {
        assertEquals(Long.BYTES, kernel().write(fd, address(memory(Long.BYTES).putLong(0, 1)), Long.BYTES));
    }

    private int[] connected() {
        int listening = listening(loopback());
        int connecting = connectedTo(listening);
        return new int[] {connecting, opened(kernel().accept4(listening, 0, 0, 0))};
    }
}
