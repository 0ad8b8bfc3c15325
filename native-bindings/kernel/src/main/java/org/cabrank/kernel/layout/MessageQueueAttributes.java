package org.cabrank.kernel.layout;

/** Layout of {@code struct mq_attr} (mq_getattr(3)), in bytes: flags, limits and fill of a POSIX message queue; signed, 64 bits each. */
public final class MessageQueueAttributes {
    public static final int SIZE_BYTES = 64;
    /** 0 or {@code FileFlags.O_NONBLOCK}. */
    public static final int FLAGS_OFFSET = 0;

    public static final int MAXMSG_OFFSET = 8;
    public static final int MSGSIZE_OFFSET = 16;
    public static final int CURMSGS_OFFSET = 24;

    private MessageQueueAttributes() {}
}
