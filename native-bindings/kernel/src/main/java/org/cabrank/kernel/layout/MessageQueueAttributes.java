package org.cabrank.kernel.layout;

/** Layout of {@code struct mq_attr} (mq_getattr(3)), in bytes. All fields are signed and have 64 bits. */
public final class MessageQueueAttributes {
    public static final int SIZE_BYTES = 64;
    /** 0 or {@code FileFlags.O_NONBLOCK}. */
    public static final int FLAGS_OFFSET = 0;

    public static final int MAXMSG_OFFSET = 8;
    public static final int MSGSIZE_OFFSET = 16;
    public static final int CURMSGS_OFFSET = 24;

    private MessageQueueAttributes() {}
}
