package org.cabrank.lf.stream;

/**
 * How much memory a connection may use; all in bytes.
 *
 * @param receiveBuffer a thread's receive buffer, from 1 KiB to 16 MiB: what one read takes at most
 * @param unreadLimit what a handler may leave unread, from 1 KiB; a connection that exceeds it is closed
 * @param lowWatermark reading goes on, and {@link ConnectionHandler#writable} is called, when the queue has fallen to it
 * @param highWatermark reading pauses while more than this is queued; above the low one
 * @param queueLimit a write that would make the queue longer is refused; at least the high watermark
 */
public record StreamLimits(int receiveBuffer, int unreadLimit, long lowWatermark, long highWatermark, long queueLimit) {

    /** 64 KiB receive buffer and unread bytes, 64 and 256 KiB watermarks, 4 MiB queue. */
    public static final StreamLimits DEFAULT = new StreamLimits(64 << 10, 64 << 10, 64 << 10, 256 << 10, 4 << 20);

    private static final int RECEIVE_BUFFER_MAX = 16 << 20;
    private static final int MIN = 1 << 10;

    public StreamLimits {
        require(
                receiveBuffer >= MIN && receiveBuffer <= RECEIVE_BUFFER_MAX,
                "receiveBuffer",
                receiveBuffer,
                "from 1 KiB to 16 MiB");
        require(unreadLimit >= MIN, "unreadLimit", unreadLimit, "at least 1 KiB");
        require(lowWatermark >= 0, "lowWatermark", lowWatermark, "at least 0");
        require(
                highWatermark > lowWatermark,
                "highWatermark",
                highWatermark,
                "above the low watermark of " + lowWatermark);
        require(
                queueLimit >= highWatermark,
                "queueLimit",
                queueLimit,
                "at least the high watermark of " + highWatermark);
    }

    private static void require(boolean holds, String name, long value, String range) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + range + ", but is " + value);
        }
    }

    public StreamLimits withReceiveBuffer(int bytes) {
        return new StreamLimits(bytes, unreadLimit, lowWatermark, highWatermark, queueLimit);
    }

    public StreamLimits withUnreadLimit(int bytes) {
        return new StreamLimits(receiveBuffer, bytes, lowWatermark, highWatermark, queueLimit);
    }

    public StreamLimits withQueue(long low, long high, long limit) {
        return new StreamLimits(receiveBuffer, unreadLimit, low, high, limit);
    }
}
