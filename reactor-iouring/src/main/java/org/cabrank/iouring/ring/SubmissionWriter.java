package org.cabrank.iouring.ring;

import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * Writes each operation of this reactor as one submission. Submissions are queued in order. Queuing a submission never fails. See {@link
 * SubmissionQueue#append}. A field that a method does not mention is 0.
 *
 * <p>A submission is a {@code struct io_uring_sqe} of eight words. It is passed as six words, because the other two are always 0. See
 * io_uring_enter(2) and {@code include/uapi/linux/io_uring.h}. {@link IoUringSqe} has the offsets. The drawing has bit 0 on the right,
 * because the supported CPUs are little-endian:
 *
 * <pre>
 *        63            48 47            32 31            16 15      8 7       0
 * file  |            fd                   |     ioprio     |  flags  | opcode  |  first
 *       |                          off, addr2                                  |  second
 *       |                             addr                                     |  third
 *       |      flags of the operation     |                len                 |  fourth
 *       |                           user_data                                  |  fifth
 *       |  file_index, or optlen          |  personality   |  buffer group     |  sixth
 * </pre>
 *
 * <p>An argument named {@code file} is a first word without an opcode. {@link #descriptor} makes such a word.
 */
public abstract class SubmissionWriter {
    private static final int FLAGS_SHIFT = IoUringSqe.FLAGS_OFFSET * Byte.SIZE;
    private static final int IOPRIO_SHIFT = IoUringSqe.IOPRIO_OFFSET * Byte.SIZE;

    private static final int UPPER_SHIFT = Integer.SIZE;

    private static final long NO_FILE = descriptor(-1);

    abstract void append(long first, long second, long third, long fourth, long fifth, long sixth);

    public static long descriptor(int fd) {
        return (long) fd << UPPER_SHIFT;
    }

    /** {@code flags} has {@code IOSQE_} bits. {@code ioprio} has {@code IORING_} bits of an accept, a receive or a send. */
    public static long first(int opcode, int flags, int ioprio, long file) {
        return opcode | flags << FLAGS_SHIFT | (long) ioprio << IOPRIO_SHIFT | file;
    }

    private static long first(int opcode, long file) {
        return first(opcode, 0, 0, file);
    }

    static long halves(int lower, int upper) {
        return lower & 0xffffffffL | (long) upper << UPPER_SHIFT;
    }

    /** Polls once. {@code events} has {@code EPOLL} bits. The kernel adds errors and hang-ups. */
    public final void poll(int fd, int events, long userData) {
        append(first(IoUring.IORING_OP_POLL_ADD, descriptor(fd)), 0, 0, halves(0, events), userData, 0);
    }

    /** Polls until cancelled, and completes for each edge. {@code events} has {@code EPOLL} bits. The kernel adds errors and hang-ups. */
    public final void pollMultishot(int fd, int events, long userData) {
        append(
                first(IoUring.IORING_OP_POLL_ADD, descriptor(fd)),
                0,
                0,
                halves(IoUring.IORING_POLL_ADD_MULTI, events),
                userData,
                0);
    }

    /** Accepts one connection. {@code socketFlags} has {@code SOCK_} bits of accept4(2). The peer's address is not reported. */
    public final void accept(int fd, int socketFlags, long userData) {
        append(first(IoUring.IORING_OP_ACCEPT, descriptor(fd)), 0, 0, halves(0, socketFlags), userData, 0);
    }

    /** Accepts until cancelled, and completes for each connection. {@code socketFlags} has {@code SOCK_} bits of accept4(2). */
    public final void acceptMultishot(int fd, int socketFlags, long userData) {
        append(
                first(IoUring.IORING_OP_ACCEPT, 0, IoUring.IORING_ACCEPT_MULTISHOT, descriptor(fd)),
                0,
                0,
                halves(0, socketFlags),
                userData,
                0);
    }

    /** Receives once, at least 1 byte, into a provided buffer. */
    public final void receive(long file, int bytesMax, int group, long userData) {
        append(
                first(IoUring.IORING_OP_RECV, IoUring.IOSQE_BUFFER_SELECT, 0, file),
                0,
                0,
                halves(bytesMax, 0),
                userData,
                group);
    }

    /**
     * Receives one message into a provided buffer. {@code messageFlags} has {@code MSG_} bits of recvmsg(2). {@code header} is the address
     * of a {@link MsgHdr} without an iovec. The memory of the header and of its control data must stay valid until the receive completes.
     */
    public final void receiveMessage(long file, long header, int messageFlags, int group, long userData) {
        append(
                first(IoUring.IORING_OP_RECVMSG, IoUring.IOSQE_BUFFER_SELECT, 0, file),
                0,
                header,
                halves(1, messageFlags),
                userData,
                group);
    }

    /**
     * Receives messages into provided buffers until cancelled. Each buffer begins with a {@code struct io_uring_recvmsg_out}, which has the
     * full length of a truncated message. {@code header} is the address of a {@link MsgHdr} with the lengths of the name and of the control
     * data, and without an iovec. Its memory must stay valid until the kernel has taken the request.
     */
    public final void receiveMessages(int fd, long header, int group, long userData) {
        append(
                first(
                        IoUring.IORING_OP_RECVMSG,
                        IoUring.IOSQE_BUFFER_SELECT,
                        IoUring.IORING_RECV_MULTISHOT,
                        descriptor(fd)),
                0,
                header,
                halves(1, Sockets.MSG_TRUNC),
                userData,
                group);
    }

    /**
     * Receives until it is cancelled. If {@code limitBytes} is not 0, the receive also ends after that many bytes (Linux 6.17). {@code
     * flags} is 0 or {@code IORING_RECVSEND_BUNDLE}.
     */
    public final void receiveMultishot(long file, int flags, int limitBytes, int group, long userData) {
        append(
                first(IoUring.IORING_OP_RECV, IoUring.IOSQE_BUFFER_SELECT, IoUring.IORING_RECV_MULTISHOT | flags, file),
                0,
                0,
                0,
                userData,
                halves(group, limitBytes));
    }

    /** Sends bytes. Their memory must stay valid until the send completes. {@code messageFlags} has {@code MSG_} bits of send(2). */
    public final void send(long file, long address, int length, int messageFlags, long userData) {
        append(first(IoUring.IORING_OP_SEND, file), 0, address, halves(length, messageFlags), userData, 0);
    }

    /** Sends the message of a {@code struct msghdr}. All its memory must stay valid until the send completes. */
    public final void sendMessage(long file, long header, int messageFlags, long userData) {
        append(first(IoUring.IORING_OP_SENDMSG, file), 0, header, halves(1, messageFlags), userData, 0);
    }

    /** Cancels the request with user data {@code request}. The cancellation completes only if it fails. */
    public final void cancel(long request, long userData) {
        append(
                first(IoUring.IORING_OP_ASYNC_CANCEL, IoUring.IOSQE_CQE_SKIP_SUCCESS, 0, NO_FILE),
                0,
                request,
                0,
                userData,
                0);
    }

    public final void cancelAll(long userData) {
        int all = IoUring.IORING_ASYNC_CANCEL_ANY | IoUring.IORING_ASYNC_CANCEL_ALL;
        append(first(IoUring.IORING_OP_ASYNC_CANCEL, NO_FILE), 0, 0, halves(0, all), userData, 0);
    }

    public final void closeDescriptor(int fd, long userData) {
        append(first(IoUring.IORING_OP_CLOSE, IoUring.IOSQE_CQE_SKIP_SUCCESS, 0, descriptor(fd)), 0, 0, 0, userData, 0);
    }

    /** Reads or writes a file at a position ({@code opcode} READ or WRITE). The memory must stay valid until the request completes. */
    public final void transfer(int opcode, int fd, long address, int bytes, long position, long userData) {
        append(first(opcode, descriptor(fd)), position, address, halves(bytes, 0), userData, 0);
    }

    /** Queues an fsync. {@code fsyncFlags} is 0 or {@code IORING_FSYNC_DATASYNC}. */
    public final void sync(int fd, int fsyncFlags, long userData) {
        append(first(IoUring.IORING_OP_FSYNC, descriptor(fd)), 0, 0, halves(0, fsyncFlags), userData, 0);
    }
}
