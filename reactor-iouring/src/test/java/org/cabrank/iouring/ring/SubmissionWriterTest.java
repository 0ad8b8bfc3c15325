package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.junit.jupiter.api.Test;

/** The fields of a submission that each operation fills, at the offsets that the kernel reads. */
class SubmissionWriterTest {
    private static final long USER_DATA = 0x8102030405060708L;
    private static final long ADDRESS = 0x7fff_ffff_ffff_fff1L;
    private static final int FD = 0x12345678;
    private static final int MESSAGE_FLAGS = Sockets.MSG_NOSIGNAL | Sockets.MSG_DONTWAIT;

    private final ByteBuffer submission =
            ByteBuffer.allocate(IoUringSqe.SIZE_BYTES).order(ByteOrder.nativeOrder());

    private final SubmissionWriter writer = new SubmissionWriter() {
        @Override
        void append(long first, long second, long third, long fourth, long fifth, long sixth) {
            submission
                    .putLong(0, first)
                    .putLong(8, second)
                    .putLong(16, third)
                    .putLong(24, fourth)
                    .putLong(32, fifth)
                    .putLong(40, sixth);
        }
    };

    /** Holds the submission against an opcode, this user data, and these fields; all other fields are 0. */
    private void assertFields(int opcode, Object... namesAndValues) {
        Map<String, Object> expected = new TreeMap<>();
        expected.put("opcode", (long) opcode);
        expected.put("user_data", USER_DATA);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            expected.put((String) namesAndValues[i], ((Number) namesAndValues[i + 1]).longValue());
        }
        Map<String, Object> written = new TreeMap<>();
        written.put("opcode", (long) submission.get(IoUringSqe.OPCODE_OFFSET));
        written.put("flags", (long) submission.get(IoUringSqe.FLAGS_OFFSET));
        written.put("ioprio", (long) submission.getShort(IoUringSqe.IOPRIO_OFFSET));
        written.put("fd", (long) submission.getInt(IoUringSqe.FD_OFFSET));
        written.put("off", submission.getLong(IoUringSqe.OFF_OFFSET));
        written.put("addr", submission.getLong(IoUringSqe.ADDR_OFFSET));
        written.put("len", (long) submission.getInt(IoUringSqe.LEN_OFFSET));
        written.put("op_flags", (long) submission.getInt(IoUringSqe.OP_FLAGS_OFFSET));
        written.put("user_data", submission.getLong(IoUringSqe.USER_DATA_OFFSET));
        written.put("buf_group", (long) submission.getShort(IoUringSqe.BUF_INDEX_OFFSET));
        written.put("personality", (long) submission.getShort(IoUringSqe.PERSONALITY_OFFSET));
        written.put("file_index", (long) submission.getInt(IoUringSqe.FILE_INDEX_OFFSET));
        written.forEach((field, value) -> expected.putIfAbsent(field, 0L));
        assertEquals(expected, written);
    }

    @Test
    void pollsNameTheirEvents() {
        writer.poll(FD, Epoll.EPOLLOUT, USER_DATA);
        assertFields(IoUring.IORING_OP_POLL_ADD, "fd", FD, "op_flags", Epoll.EPOLLOUT);
        writer.pollMultishot(FD, Epoll.EPOLLIN, USER_DATA);
        assertFields(
                IoUring.IORING_OP_POLL_ADD, "fd", FD, "len", IoUring.IORING_POLL_ADD_MULTI, "op_flags", Epoll.EPOLLIN);
    }

    @Test
    void anAcceptNamesTheFlagsOfItsDescriptors() {
        writer.acceptMultishot(FD, Sockets.SOCK_NONBLOCK, USER_DATA);
        assertFields(
                IoUring.IORING_OP_ACCEPT,
                "fd",
                FD,
                "ioprio",
                IoUring.IORING_ACCEPT_MULTISHOT,
                "op_flags",
                Sockets.SOCK_NONBLOCK);
        writer.accept(FD, Sockets.SOCK_NONBLOCK, USER_DATA);
        assertFields(IoUring.IORING_OP_ACCEPT, "fd", FD, "op_flags", Sockets.SOCK_NONBLOCK);
    }

    @Test
    void receivesSelectABufferOfTheirGroup() {
        writer.receive(SubmissionWriter.descriptor(FD), 4096, 3, USER_DATA);
        assertFields(
                IoUring.IORING_OP_RECV, "flags", IoUring.IOSQE_BUFFER_SELECT, "fd", FD, "len", 4096, "buf_group", 3);
        writer.receiveMultishot(SubmissionWriter.descriptor(7), IoUring.IORING_RECVSEND_BUNDLE, 1 << 20, 3, USER_DATA);
        assertFields(
                IoUring.IORING_OP_RECV,
                "flags",
                IoUring.IOSQE_BUFFER_SELECT,
                "ioprio",
                IoUring.IORING_RECV_MULTISHOT | IoUring.IORING_RECVSEND_BUNDLE,
                "fd",
                7,
                "buf_group",
                3,
                "file_index",
                1 << 20);
    }

    @Test
    void sendsNameTheirBytesOrAMessage() {
        long file = SubmissionWriter.descriptor(FD);
        writer.send(file, ADDRESS, 100, MESSAGE_FLAGS, USER_DATA);
        assertFields(IoUring.IORING_OP_SEND, "fd", FD, "addr", ADDRESS, "len", 100, "op_flags", MESSAGE_FLAGS);
        writer.sendMessage(file, ADDRESS, MESSAGE_FLAGS, USER_DATA);
        assertFields(IoUring.IORING_OP_SENDMSG, "fd", FD, "addr", ADDRESS, "len", 1, "op_flags", MESSAGE_FLAGS);
    }

    @Test
    void cancellationsNameOneRequestOrAll() {
        writer.cancel(-2, USER_DATA);
        assertFields(IoUring.IORING_OP_ASYNC_CANCEL, "flags", IoUring.IOSQE_CQE_SKIP_SUCCESS, "fd", -1, "addr", -2);
        writer.cancelAll(USER_DATA);
        assertFields(
                IoUring.IORING_OP_ASYNC_CANCEL,
                "fd",
                -1,
                "op_flags",
                IoUring.IORING_ASYNC_CANCEL_ANY | IoUring.IORING_ASYNC_CANCEL_ALL);
    }

    @Test
    void aCloseNamesItsDescriptor() {
        writer.closeDescriptor(FD, USER_DATA);
        assertFields(IoUring.IORING_OP_CLOSE, "flags", IoUring.IOSQE_CQE_SKIP_SUCCESS, "fd", FD);
    }
}
