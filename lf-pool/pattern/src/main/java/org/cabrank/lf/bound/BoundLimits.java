package org.cabrank.lf.bound;

/**
 * Limits of a shared connection.
 *
 * @param messageBytes maximum length in bytes of a message from the peer, at least 1. A longer message breaks the connection
 * @param sendQueueBytes maximum number of queued bytes if the peer does not read, at least 0. An empty queue takes a message of any size
 */
public record BoundLimits(int messageBytes, long sendQueueBytes) {
    /** 1 MiB each. */
    public static final BoundLimits DEFAULT = new BoundLimits(1 << 20, 1 << 20);

    public BoundLimits {
        if (messageBytes < 1) {
            throw new IllegalArgumentException("messageBytes must be at least 1, but is " + messageBytes);
        }
        if (sendQueueBytes < 0) {
            throw new IllegalArgumentException("sendQueueBytes must not be negative, but is " + sendQueueBytes);
        }
    }

    public BoundLimits withMessageBytes(int changed) {
        return new BoundLimits(changed, sendQueueBytes);
    }

    public BoundLimits withSendQueueBytes(long changed) {
        return new BoundLimits(messageBytes, changed);
    }
}
