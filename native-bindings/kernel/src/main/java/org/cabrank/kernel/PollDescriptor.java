package org.cabrank.kernel;

/**
 * Layout of {@code struct pollfd} (poll(2)), in bytes.
 *
 * <pre>
 * 0    4        6         8
 * | fd | events | revents |    int, short, short
 * </pre>
 */
public final class PollDescriptor {
    public static final int SIZE_BYTES = 8;
    public static final int FD_OFFSET = 0;

    /** Events that are waited for. */
    public static final int EVENTS_OFFSET = 4;

    /** Events that there are; written by the kernel. */
    public static final int REVENTS_OFFSET = 6;

    /** An event: a read would not block. */
    public static final short POLLIN = 1;

    private PollDescriptor() {}
}
