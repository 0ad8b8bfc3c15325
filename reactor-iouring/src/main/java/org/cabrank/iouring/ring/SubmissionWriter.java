package org.cabrank.iouring.ring;

import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringSqe;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * The operations of this reactor, each written as one submission by a method of its own. A field that a method does not mention
 * is 0.
 *
 * <p>A submission is passed on as the six words of {@code struct io_uring_sqe} that are not always 0 (io_uring_enter(2),
 * {@code include/uapi/linux/io_uring.h}; offsets in {@link IoUringSqe}). Bit 0 is on the right, since the ABIs are little-endian:
 *
 * <pre>
 *        63            48 47            32 31            16 15      8 7       0
 *       +---------------------------------+----------------+---------+---------+
 * file  |            fd                   |     ioprio     |  flags  | opcode  |  first
 *       +---------------------------------+----------------+---------+---------+
 *       |                          off, addr2                                  |  second
 *       +----------------------------------------------------------------------+
 *       |                             addr                                     |  third
 *       +---------------------------------+------------------------------------+
 *       |      flags of the operation     |                len                 |  fourth
 *       +---------------------------------+------------------------------------+
 *       |                           user_data                                  |  fifth
 *       +---------------------------------+----------------+-------------------+
 *       |  file_index, or optlen          |  personality   |  buffer group     |  sixth
 *       +---------------------------------+----------------+-------------------+
 * </pre>
 *
 * <p>An argument named {@code file} is a first word without an opcode: {@link #descriptor}.
 *
 * <p>All methods queue in order, fail never and lose nothing; see {@link SubmissionQueue#append}.
 */
public abstract class SubmissionWriter {
    private static final int FLAGS_SHIFT = IoUringSqe.FLAGS_OFFSET * Byte.SIZE;
    private static final int IOPRIO_SHIFT = IoUringSqe.IOPRIO_OFFSET * Byte.SIZE;

    /** Shift of the fields in the upper half of a word. */
    private static final int UPPER_SHIFT = Integer.SIZE;

    /** First word of an operation without a file. */
    private static final long NO_FILE = descriptor(-1);

    abstract void append(long first, long second, long third, long fourth, long fifth, long sixth);

    // ---- words ----

    public static long descriptor(int fd) {
        return (long) fd << UPPER_SHIFT;
    }

    /**
     * Returns a first word.
     *
     * @param flags {@code IOSQE_} bits
     * @param ioprio {@code IORING_} flags of an accept, a receive or a send; 16 bits
     */
    public static long first(int opcode, int flags, int ioprio, long file) {
        return opcode | flags << FLAGS_SHIFT | (long) ioprio << IOPRIO_SHIFT | file;
    }

    private static long first(int opcode, long file) {
        return first(opcode, 0, 0, file);
    }

    static long halves(int lower, int upper) {
        return lower & 0xffffffffL | (long) upper << UPPER_SHIFT;
    }

    // ---- readiness ----

    /**
     * Queues one poll of a descriptor: POLL_ADD.
     *
     * @param events {@code EPOLL} bits; the kernel adds errors and hang-ups
     */
    public final void poll(int fd, int events, long userData) {
        append(first(IoUring.IORING_OP_POLL_ADD, descriptor(fd)), 0, 0, halves(0, events), userData, 0);
    }

    /**
     * Queues a poll that completes for each edge until it is ended.
     *
     * @param events {@code EPOLL} bits; the kernel adds errors and hang-ups
     */
    public final void pollMultishot(int fd, int events, long userData) {
        append(
                first(IoUring.IORING_OP_POLL_ADD, descriptor(fd)),
                0,
                0,
                halves(IoUring.IORING_POLL_ADD_MULTI, events),
                userData,
                0);
    }

    // ---- sockets ----

    /**
     * Queues an accept of one connection. The kernel reports no address of the peer.
     *
     * @param socketFlags {@code SOCK_} bits of accept4(2), for the accepted descriptor
     */
    public final void accept(int fd, int socketFlags, long userData) {
        append(first(IoUring.IORING_OP_ACCEPT, descriptor(fd)), 0, 0, halves(0, socketFlags), userData, 0);
    }

    /**
     * Queues an accept that completes for each connection until it is ended. The kernel reports no address of a peer.
     *
     * @param socketFlags {@code SOCK_} bits of accept4(2), for the accepted descriptors
     */
    public final void acceptMultishot(int fd, int socketFlags, long userData) {
        append(
                first(IoUring.IORING_OP_ACCEPT, 0, IoUring.IORING_ACCEPT_MULTISHOT, descriptor(fd)),
                0,
                0,
                halves(0, socketFlags),
                userData,
                0);
    }

    /**
     * Queues one receive into a provided buffer.
     *
     * @param bytesMax from 1
     * @param group of the buffers
     */
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
     * Queues one receive of a message into a provided buffer, with control data.
     *
     * @param header address of a {@link MsgHdr} without an iovec, whose control data and flags the kernel writes: the memory must stay
     *     until the receive completes
     * @param messageFlags {@code MSG_} bits of recvmsg(2)
     * @param group of the buffers
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
     * Queues a receive of messages into provided buffers that completes for each message until it is ended. Each buffer begins with a
     * {@code struct io_uring_recvmsg_out}, which tells the whole length of a message that was cut off.
     *
     * @param header address of a {@link MsgHdr} without an iovec that tells the lengths of name and control data: the memory must stay
     *     until the kernel has taken the request
     * @param group of the buffers
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
     * Queues a receive into provided buffers that completes again and again until it is ended.
     *
     * @param flags 0 or {@code IORING_RECVSEND_BUNDLE}
     * @param limitBytes after so many bytes it ends by itself (Linux 6.17); 0: no limit
     * @param group of the buffers
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

    /**
     * Queues a send. The kernel reads the bytes when the request runs: they must stay until it completes.
     *
     * @param messageFlags {@code MSG_} bits of send(2)
     */
    public final void send(long file, long address, int length, int messageFlags, long userData) {
        append(first(IoUring.IORING_OP_SEND, file), 0, address, halves(length, messageFlags), userData, 0);
    }

    /**
     * Queues a send of several pieces of memory.
     *
     * @param header address of a {@code struct msghdr}; it, and what it names, must stay until the request completes
     * @param messageFlags {@code MSG_} bits of sendmsg(2)
     */
    public final void sendMessage(long file, long header, int messageFlags, long userData) {
        append(first(IoUring.IORING_OP_SENDMSG, file), 0, header, halves(1, messageFlags), userData, 0);
    }

    // ---- requests and descriptors ----

    /**
     * Queues the cancellation of one request, which completes only if it fails.
     *
     * @param request its user data
     */
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

    // ---- files ----

    /**
     * Queues a read or a write of a file at a position: READ or WRITE.
     *
     * @param opcode one of these
     * @param address of {@code bytes} that must stay until the request completes
     */
    public final void transfer(int opcode, int fd, long address, int bytes, long position, long userData) {
        append(first(opcode, descriptor(fd)), position, address, halves(bytes, 0), userData, 0);
    }

    /**
     * Queues an fsync of a file.
     *
     * @param fsyncFlags 0 or {@code IORING_FSYNC_DATASYNC}
     */
    public final void sync(int fd, int fsyncFlags, long userData) {
        append(first(IoUring.IORING_OP_FSYNC, descriptor(fd)), 0, 0, halves(0, fsyncFlags), userData, 0);
    }
}
