package org.cabrank.lf.bound;

/**
 * Bounds of a shared connection.
 *
 * @param messageBytes longest message taken from the peer, in bytes, from 1; a longer message breaks the connection
 * @param sendQueueBytes maximum of queued bytes for a peer that does not read, from 0. An empty queue takes a message of any size
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
