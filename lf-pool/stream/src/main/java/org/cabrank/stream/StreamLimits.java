package org.cabrank.stream;

import org.cabrank.lf.settings.Settings;

/**
 * Limits of a reactor and of its connections. Make them from {@link #DEFAULT} with the methods {@code with...}, because the constructor
 * gets a parameter with each new limit. The table <a href="doc-files/limits.html">Limits and outcomes</a> names the outcome at each limit.
 *
 * @param receiveBuffer size of the receive buffer of each thread, from 1 KiB to 16 MiB. One read returns at most as many bytes
 * @param unreadLimit maximum number of bytes that a handler may leave unread, from 1 KiB. A connection that exceeds it is closed
 * @param lowWatermark number of queued bytes at which reading resumes and {@link ConnectionHandler#writable} is called
 * @param highWatermark number of bytes, more than the low watermark. While more bytes are queued, reading pauses
 * @param queueLimit number of bytes, at least the high watermark. A write that would make the queue longer is refused
 * @param shardMemory limit in bytes, from 64 KiB, of the chunks that hold unread and queued bytes of all connections of a shard. With 0,
 *     the default, the shards share half of the JVM's direct memory (-XX:MaxDirectMemorySize). While memory is scarce, less is read at
 *     once, and a connection with queued bytes pauses reading. The last quarter is only for connections that hold at most 4 KiB. Each other
 *     connection may hold a quarter of the free part of the rest. If it needs more, it is closed with a {@link ShardMemoryException}. So
 *     the connections that hold the most are closed first
 * @param mailboxMax maximum number of waiting tasks and writes of a connection, from 16 to 16,777,216. It counts tasks and writes of other
 *     threads, and tasks that callbacks pass to {@link Connection#execute}. Further ones are refused and counted, but no close, abort or
 *     similar call is refused. Each thread may exceed the maximum by one
 * @param connectionsMax maximum number of open connections of the reactor, connects under way included. With 0, the default, it is the soft
 *     RLIMIT_NOFILE less an eighth (256 at most) that is left for files and logs. A further accepted connection is reset at once, and a
 *     further connect fails. Both are counted ({@link StreamCounters#overLimit})
 * @param outboundMax maximum size in bytes, from 64 KiB, of the chunks that hold queued bytes of all connections of the reactor, bytes that
 *     other threads have handed over included. With 0, the default, only the memory of the shards is a limit. The last quarter is only for
 *     connections that have at most 16 KiB queued. Each other connection may queue a quarter of the free part of the rest, so the longest
 *     queues are refused first. A refused write has {@link WriteQueueFullException#mayRetry}, and {@link ConnectionHandler#writable} is
 *     called when there is room. For a write that is longer than an eighth of the limit {@code mayRetry} is false. While more than half of
 *     the limit is in use, connections with queued bytes pause reading. The total may differ from the limit by a sixteenth
 * @param unreadMax maximum size in bytes, from 64 KiB, of the chunks that hold received bytes of all connections of the reactor until the
 *     handlers have read them. With 0, the default, only the memory of the shards is a limit. While little of it is free, less is read at
 *     once. A connection that needs more than its share (see {@code shardMemory}) is closed and counted ({@link ReactorUse#unreadRefused})
 */
public record StreamLimits(
        int receiveBuffer,
        int unreadLimit,
        long lowWatermark,
        long highWatermark,
        long queueLimit,
        long shardMemory,
        int mailboxMax,
        int connectionsMax,
        long outboundMax,
        long unreadMax) {

    /** Receive buffer and unread bytes 64 KiB, watermarks 64 KiB and 256 KiB, queue 4 MiB, mailbox 65,536 tasks and writes. */
    public static final StreamLimits DEFAULT =
            new StreamLimits(64 << 10, 64 << 10, 64 << 10, 256 << 10, 4 << 20, 0, 65_536, 0, 0, 0);

    private static final int RECEIVE_BUFFER_MAX = 16 << 20;
    private static final int MIN = 1 << 10;
    private static final int MAILBOX_MIN = 16;
    private static final int MAILBOX_LIMIT = 1 << 24;
    private static final long MEMORY_MIN = 64 << 10;

    public StreamLimits {
        require("receiveBuffer", receiveBuffer, MIN, RECEIVE_BUFFER_MAX, "from 1 KiB to 16 MiB");
        require("unreadLimit", unreadLimit, MIN, Integer.MAX_VALUE, "at least 1 KiB");
        require("lowWatermark", lowWatermark, 0, Long.MAX_VALUE - 1, "at least 0");
        String aboveLow = "above the low watermark of " + lowWatermark;
        require("highWatermark", highWatermark, lowWatermark + 1, Long.MAX_VALUE, aboveLow);
        String notBelowHigh = "at least the high watermark of " + highWatermark;
        require("queueLimit", queueLimit, highWatermark, Long.MAX_VALUE, notBelowHigh);
        requireMemory("shardMemory", shardMemory, "0 (part of the JVM's direct memory)");
        require("mailboxMax", mailboxMax, MAILBOX_MIN, MAILBOX_LIMIT, "from 16 to 16,777,216");
        require("connectionsMax", connectionsMax, 0, Integer.MAX_VALUE, "0 (by descriptors) or at least 1");
        requireMemory("outboundMax", outboundMax, "0 (no limit of its own)");
        requireMemory("unreadMax", unreadMax, "0 (no limit of its own)");
    }

    private static void requireMemory(String name, long bytes, String none) {
        require(name, bytes, bytes == 0 ? 0 : MEMORY_MIN, Long.MAX_VALUE, none + " or at least 64 KiB");
    }

    private static void require(String name, long value, long min, long max, String range) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + range + ", but is " + value);
        }
    }

    public StreamLimits withReceiveBuffer(int bytes) {
        return Settings.with(this, "receiveBuffer", bytes);
    }

    public StreamLimits withUnreadLimit(int bytes) {
        return Settings.with(this, "unreadLimit", bytes);
    }

    public StreamLimits withQueue(long low, long high, long limit) {
        return new StreamLimits(
                receiveBuffer,
                unreadLimit,
                low,
                high,
                limit,
                shardMemory,
                mailboxMax,
                connectionsMax,
                outboundMax,
                unreadMax);
    }

    public StreamLimits withShardMemory(long bytes) {
        return Settings.with(this, "shardMemory", bytes);
    }

    public StreamLimits withMailboxMax(int count) {
        return Settings.with(this, "mailboxMax", count);
    }

    public StreamLimits withConnectionsMax(int count) {
        return Settings.with(this, "connectionsMax", count);
    }

    public StreamLimits withOutboundMax(long bytes) {
        return Settings.with(this, "outboundMax", bytes);
    }

    public StreamLimits withUnreadMax(long bytes) {
        return Settings.with(this, "unreadMax", bytes);
    }

    /** Returns the memory in bytes that each shard of a reactor with {@code shards} shards may use. */
    public long shardMemory(int shards) {
        return shardMemory != 0 ? shardMemory : Math.max(MEMORY_MIN, DirectMemory.maxBytes() / 2 / shards);
    }
}
