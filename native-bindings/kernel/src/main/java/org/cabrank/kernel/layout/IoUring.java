package org.cabrank.kernel.layout;

/** Constants of io_uring(7). A number such as (6.1) is the first Linux version with the constant. Linux 6.0 has all other constants. */
public final class IoUring {
    // Flags of io_uring_setup(2), in IoUringParams.

    /** A kernel thread takes the submissions. */
    public static final int IORING_SETUP_SQPOLL = 1 << 1;
    /** The kernel thread of SQPOLL stays on the given CPU. */
    public static final int IORING_SETUP_SQ_AFF = 1 << 2;
    /** The program sets the size of the completion queue. Without this flag, the size is twice the size of the submission queue. */
    public static final int IORING_SETUP_CQSIZE = 1 << 3;
    /** The kernel reduces sizes that are too large, and does not refuse them. */
    public static final int IORING_SETUP_CLAMP = 1 << 4;
    /** Shares the workers and the kernel thread of a given ring. */
    public static final int IORING_SETUP_ATTACH_WQ = 1 << 5;
    /** The ring is disabled until {@link #IORING_REGISTER_ENABLE_RINGS}. */
    public static final int IORING_SETUP_R_DISABLED = 1 << 6;
    /** If a submission of a batch fails at once, the kernel continues with the next. */
    public static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    /** Completions do not interrupt the submitter while it runs user code. */
    public static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    /** With COOP_TASKRUN or DEFER_TASKRUN, the kernel sets {@link #IORING_SQ_TASKRUN} if a call is needed to get completions. */
    public static final int IORING_SETUP_TASKRUN_FLAG = 1 << 9;
    /** Only the thread that made or enabled the ring submits. */
    public static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    /** Completions are made when the submitter asks for them (6.1). Only with SINGLE_ISSUER. */
    public static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;
    /** The program provides the memory of the rings (6.5). */
    public static final int IORING_SETUP_NO_MMAP = 1 << 14;
    /** The kernel takes submissions in the order of the queue, without an array of indices (6.6). */
    public static final int IORING_SETUP_NO_SQARRAY = 1 << 16;

    // Features, in IoUringParams after io_uring_setup(2).

    public static final int IORING_FEAT_SINGLE_MMAP = 1 << 0;
    /** As long as the kernel has memory, it keeps completions that find no room in the queue, and delivers them later. */
    public static final int IORING_FEAT_NODROP = 1 << 1;

    public static final int IORING_FEAT_EXT_ARG = 1 << 8;

    public static final int IORING_FEAT_CQE_SKIP = 1 << 11;

    public static final int IORING_FEAT_LINKED_FILE = 1 << 12;
    public static final int IORING_FEAT_RECVSEND_BUNDLE = 1 << 14;
    public static final int IORING_FEAT_MIN_TIMEOUT = 1 << 15;
    public static final int IORING_FEAT_NO_IOWAIT = 1 << 17;

    // Flags of io_uring_enter(2).

    /** Waits for completions. The kernel first runs its deferred work, which may make completions. */
    public static final int IORING_ENTER_GETEVENTS = 1 << 0;
    /** The last argument is an {@link IoUringGeteventsArg}. */
    public static final int IORING_ENTER_EXT_ARG = 1 << 3;

    public static final int IORING_ENTER_REGISTERED_RING = 1 << 4;
    /** The kernel does not count the wait as iowait (6.15). CPU accounting shows iowait, and frequency governors react to it. */
    public static final int IORING_ENTER_NO_IOWAIT = 1 << 7;

    // Opcodes of io_uring_register(2).

    public static final int IORING_UNREGISTER_FILES = 3;
    public static final int IORING_UNREGISTER_EVENTFD = 5;
    public static final int IORING_REGISTER_PROBE = 8;

    public static final int IORING_REGISTER_ENABLE_RINGS = 12;
    /** Takes two {@code uint32_t}: the maximum number of bounded workers and of unbounded workers. 0 changes nothing. */
    public static final int IORING_REGISTER_IOWQ_MAX_WORKERS = 19;
    /** Takes {@link IoUringRsrcUpdate}s with descriptors of rings, for {@link #IORING_ENTER_REGISTERED_RING}. */
    public static final int IORING_REGISTER_RING_FDS = 20;

    public static final int IORING_UNREGISTER_RING_FDS = 21;
    public static final int IORING_REGISTER_PBUF_RING = 22;

    public static final int IORING_UNREGISTER_PBUF_RING = 23;
    public static final int IORING_REGISTER_SYNC_CANCEL = 24;

    /** Takes one {@link IoUringSqe} with a MSG_RING. Needs no ring, so the descriptor is -1 (6.13). */
    public static final int IORING_REGISTER_SEND_MSG_RING = 31;
    /** Flag in an {@link IoUringProbe}: the kernel supports the operation. */
    public static final int IO_URING_OP_SUPPORTED = 1 << 0;

    /** Several completions may use parts of one buffer (6.12). */
    public static final int IOU_PBUF_RING_INC = 2;

    // Offsets of mmap(2) on a ring's descriptor.

    public static final long IORING_OFF_SQ_RING = 0;
    public static final long IORING_OFF_SQES = 0x10000000L;
    // Flags of the submission ring.
    /** Completions found no room in the queue. The next call that gets events delivers them. */
    public static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;
    /** Completions wait for a call that gets events. */
    public static final int IORING_SQ_TASKRUN = 1 << 2;

    // Operations, in the opcode of a submission.

    public static final int IORING_OP_NOP = 0;
    public static final int IORING_OP_FSYNC = 3;
    public static final int IORING_OP_POLL_ADD = 6;

    public static final int IORING_OP_SENDMSG = 9;
    public static final int IORING_OP_RECVMSG = 10;
    public static final int IORING_OP_TIMEOUT = 11;
    public static final int IORING_OP_ACCEPT = 13;
    public static final int IORING_OP_ASYNC_CANCEL = 14;
    public static final int IORING_OP_CLOSE = 19;
    public static final int IORING_OP_READ = 22;
    public static final int IORING_OP_WRITE = 23;
    public static final int IORING_OP_SEND = 26;
    public static final int IORING_OP_RECV = 27;
    public static final int IORING_OP_MSG_RING = 40;

    public static final int IORING_OP_SEND_ZC = 47;
    /** Reads repeatedly into selected buffers (6.7). */
    public static final int IORING_OP_READ_MULTISHOT = 49;
    // Flags of a submission.

    public static final int IOSQE_FIXED_FILE = 1 << 0;
    /** The kernel takes a buffer of the named group. */
    public static final int IOSQE_BUFFER_SELECT = 1 << 5;
    /** The submission has a completion only if it fails. */
    public static final int IOSQE_CQE_SKIP_SUCCESS = 1 << 6;

    public static final int IORING_FILE_INDEX_ALLOC = ~0;

    // Flags of a completion.

    /** The kernel took a buffer. The upper 16 bits of the flags are its number. */
    public static final int IORING_CQE_F_BUFFER = 1 << 0;

    public static final int IORING_CQE_F_MORE = 1 << 1;
    /** With {@link #IOU_PBUF_RING_INC}, further completions will use the same buffer (6.12). */
    public static final int IORING_CQE_F_BUF_MORE = 1 << 4;

    public static final int IORING_CQE_BUFFER_SHIFT = 16;

    // Flags of single operations.

    /** Flag in ioprio of an accept: accepts repeatedly. */
    public static final int IORING_ACCEPT_MULTISHOT = 1 << 0;

    /** Flag in ioprio of a send or receive: the kernel makes its first attempt only when the socket is ready. */
    public static final int IORING_RECVSEND_POLL_FIRST = 1 << 0;
    /** Flag in ioprio of a receive: receives repeatedly. */
    public static final int IORING_RECV_MULTISHOT = 1 << 1;
    /** Flag in ioprio of a send or receive with selected buffers: one completion may use several buffers (6.10). */
    public static final int IORING_RECVSEND_BUNDLE = 1 << 4;

    public static final int IORING_FSYNC_DATASYNC = 1 << 0;

    /** Flag in len of a poll: polls repeatedly. With {@code Epoll.EPOLLET} the poll is edge-triggered. */
    public static final int IORING_POLL_ADD_MULTI = 1 << 0;

    /** Cancels all requests that match. The result is the number of these requests. */
    public static final int IORING_ASYNC_CANCEL_ALL = 1 << 0;

    public static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;

    /** Command in addr of a MSG_RING: posts a completion to the target ring. Field len is the result, and field off is the user data. */
    public static final int IORING_MSG_DATA = 0;

    private IoUring() {}
}
