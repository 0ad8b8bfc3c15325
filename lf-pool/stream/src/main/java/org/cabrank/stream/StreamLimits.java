package org.cabrank.stream;

/**
 * Bounds of the memory that connections may use; all in bytes.
 *
 * @param receiveBuffer a thread's receive buffer, from 1 KiB to 16 MiB: what one read takes at most
 * @param unreadLimit maximum number of bytes that a handler may leave unread, from 1 KiB; a connection that exceeds it is closed
 * @param lowWatermark reading goes on, and {@link ConnectionHandler#writable} is called, when the queue has fallen to it
 * @param highWatermark reading pauses while more than this is queued; above the low one
 * @param queueLimit a write that would make the queue longer is refused; at least the high watermark
 * @param shardMemory unread and queued bytes of all connections of a shard, in the chunks that hold them, from 64 KiB; 0, the
 *     default: half of the JVM's direct memory (-XX:MaxDirectMemorySize), divided among the shards. Where memory is scarce, less
 *     is read at once, and reading pauses on connections that have something queued. A connection that needs more than a
 *     quarter of what is free of three quarters of it all the same is closed with a {@link ShardMemoryException}, so those that
 *     hold most are closed first, and is counted ({@link ShardMemory#refusals}). The last quarter is for connections that hold
 *     4 KiB at most
 * @param mailboxMax a count, from 16 to 16,777,216: tasks and writes that other threads have handed to a connection, and callbacks to
 *     {@link Connection#execute}, and that it has not run yet. One more is refused and counted; close, abort and the
 *     like never are. Where many threads hand over at the same time, each may exceed it by one
 */
public record StreamLimits(
        int receiveBuffer,
        int unreadLimit,
        long lowWatermark,
        long highWatermark,
        long queueLimit,
        long shardMemory,
        int mailboxMax) {

    /** 64 KiB receive buffer and unread bytes, 64 and 256 KiB watermarks, 4 MiB queue, 65,536 tasks and writes. */
    public static final StreamLimits DEFAULT =
            new StreamLimits(64 << 10, 64 << 10, 64 << 10, 256 << 10, 4 << 20, 0, 65_536);

    private static final int RECEIVE_BUFFER_MAX = 16 << 20;
    private static final int MIN = 1 << 10;
    private static final int MAILBOX_MIN = 16;
    private static final int MAILBOX_LIMIT = 1 << 24;
    private static final long SHARD_MEMORY_MIN = 64 << 10;

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
        require(
                shardMemory == 0 || shardMemory >= SHARD_MEMORY_MIN,
                "shardMemory",
                shardMemory,
                "0 (part of the JVM's direct memory) or at least 64 KiB");
        require(
                mailboxMax >= MAILBOX_MIN && mailboxMax <= MAILBOX_LIMIT,
                "mailboxMax",
                mailboxMax,
                "from 16 to 16,777,216");
    }

    private static void require(boolean holds, String name, long value, String range) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + range + ", but is " + value);
        }
    }

    public StreamLimits withReceiveBuffer(int bytes) {
        return new StreamLimits(bytes, unreadLimit, lowWatermark, highWatermark, queueLimit, shardMemory, mailboxMax);
    }

    public StreamLimits withUnreadLimit(int bytes) {
        return new StreamLimits(receiveBuffer, bytes, lowWatermark, highWatermark, queueLimit, shardMemory, mailboxMax);
    }

    public StreamLimits withQueue(long low, long high, long limit) {
        return new StreamLimits(receiveBuffer, unreadLimit, low, high, limit, shardMemory, mailboxMax);
    }

    /** @param bytes see {@link #shardMemory()}; 0: part of the JVM's direct memory */
    public StreamLimits withShardMemory(long bytes) {
        return new StreamLimits(receiveBuffer, unreadLimit, lowWatermark, highWatermark, queueLimit, bytes, mailboxMax);
    }

    /** @param count see {@link #mailboxMax()} */
    public StreamLimits withMailboxMax(int count) {
        return new StreamLimits(
                receiveBuffer, unreadLimit, lowWatermark, highWatermark, queueLimit, shardMemory, count);
    }

    /**
     * Returns the memory in bytes that each shard of a reactor may use.
     *
     * @param shards of the reactor
     */
    public long shardMemory(int shards) {
        return shardMemory != 0 ? shardMemory : Math.max(SHARD_MEMORY_MIN, DirectMemory.maxBytes() / 2 / shards);
    }
}
