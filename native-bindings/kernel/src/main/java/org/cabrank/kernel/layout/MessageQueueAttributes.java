package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct mq_attr} (mq_getattr(3)), in bytes: what a POSIX message queue is, and how full.
 *
 * <pre>
 * 0        8         16         24         32         64
 * | flags  | maxmsg  | msgsize  | curmsgs  | reserved |    each signed, 64 bits
 * </pre>
 */
public final class MessageQueueAttributes {
    public static final int SIZE_BYTES = 64;
    /** 0 or {@code FileFlags.O_NONBLOCK}. */
    public static final int FLAGS_OFFSET = 0;
    /** Maximum number of messages in the queue. */
    public static final int MAXMSG_OFFSET = 8;
    /** Maximum size of a message in bytes. */
    public static final int MSGSIZE_OFFSET = 16;
    /** Current number of messages in the queue. */
    public static final int CURMSGS_OFFSET = 24;

    private MessageQueueAttributes() {}
}
