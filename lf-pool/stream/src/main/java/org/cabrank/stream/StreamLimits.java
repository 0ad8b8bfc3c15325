package org.cabrank.stream;

import org.cabrank.lf.settings.Settings;

/**
 * Limits of a reactor and of each of its connections. Made from {@link #DEFAULT} by the methods {@code with...}, and not by the
 * constructor, which gets a parameter with each new limit.
 *
 * <p>The table <a href="doc-files/limits.html">Limits and outcomes</a> names the outcome at each limit, and its counter.
 *
 * @param receiveBuffer a thread's receive buffer, from 1 KiB to 16 MiB: the maximum of one read
 * @param unreadLimit maximum number of bytes that a handler may leave unread, from 1 KiB; a connection that exceeds it is closed
 * @param lowWatermark bytes; when the queue has fallen to it, reading resumes and {@link ConnectionHandler#writable} is called
 * @param highWatermark bytes, above the low one; reading pauses while more than this is queued
 * @param queueLimit bytes, at least the high watermark; a write that would make the queue longer is refused
 * @param shardMemory limit in bytes, from 64 KiB, of the chunks that hold unread and queued bytes of all connections of a shard; 0, the
 *     default: half of the JVM's direct memory (-XX:MaxDirectMemorySize), divided among the shards. While memory is scarce, less is read at
 *     once, and reading pauses on connections that have something queued. A connection may hold a quarter of what is free of three quarters
 *     of the memory; one that needs more is closed with a {@link ShardMemoryException} and counted ({@link ShardCounters#memoryRefusals}),
 *     so those that hold most end first. The last quarter is for connections that hold 4 KiB at most
 * @param mailboxMax maximum number, from 16 to 16,777,216, of waiting tasks and writes of a connection, from other threads and from {@link
 *     Connection#execute} in callbacks. One more is refused and counted; close, abort and the like never are. Threads that hand over at the
 *     same time may each exceed it by one
 * @param connectionsMax connections of the reactor that may stand at a time, accepted and outgoing, those that are being made included, in
 *     all shards together; 0, the default: the descriptors of the process (soft RLIMIT_NOFILE) except a reserve for files, logs and
 *     classes, which is an eighth of them and at most 256. Beyond it an accepted connection is reset at once, and a connect fails; both are
 *     counted ({@link StreamCounters#overLimit})
 * @param outboundMax bytes that all connections of the reactor have queued together, in the chunks that hold them, with the bytes that
 *     other threads have handed over, in all shards, from 64 KiB; 0, the default: no limit besides the memory of the shards. A connection
 *     may queue a quarter of what is free of three quarters of the limit, so those with most are refused first; the last quarter is for
 *     connections that have 16 KiB queued at most. A larger write is refused with {@link WriteQueueFullException#mayRetry}, and {@link
 *     ConnectionHandler#writable} follows when there is room, in the order of the refusals. A write of more than an eighth of the limit
 *     cannot rely on room, so it is refused for good ({@code mayRetry} is false). While more than half is in use, reading pauses on
 *     connections that have something queued. Shards count in steps: the limit may be exceeded, or be reached early, by a sixteenth, and by
 *     one write of each thread that writes at that moment
 * @param unreadMax bytes that the handlers of all connections of the reactor have left unread, or that wait to be given to them, in chunks,
 *     in all shards, from 64 KiB; 0, the default: no limit besides the memory of the shards. While it is scarce, less is read at once; a
 *     connection that needs more than its share is closed, by the same rule and with the same exception as for {@code shardMemory}, and
 *     counted ({@link ReactorUse#unreadRefused}). Counted in steps, as above
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

    /** 64 KiB receive buffer and unread bytes, 64 and 256 KiB watermarks, 4 MiB queue, 65,536 tasks and writes. */
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
