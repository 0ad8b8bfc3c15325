package org.cabrank.stream;

/**
 * Counts of a shard since the start. The counts are read without a lock, so each may lack the latest changes of other threads.
 *
 * @param shard number of the shard, from 0
 * @param connections number of connections that the shard serves now
 * @param opened connections that were opened in this shard
 * @param closed connections that ended in this shard
 * @param movedIn connections that have come from other shards ({@link Connection#moveTo})
 * @param movedOut connections that have gone to other shards
 * @param passedBy connections assigned to this shard ({@link AcceptMode}) that another shard serves, because too many waited here
 * @param detected events that the kernel has reported
 * @param receivedBytes bytes received on the connections of this shard
 * @param sentBytes bytes of the connections of this shard that the kernel has taken
 * @param acceptFailures failed calls and requests to accept a connection, except for EAGAIN and EINTR
 * @param refused connections that were accepted and then closed without a handler, because the supplier or the kernel refused
 * @param memoryUsedBytes memory of the chunks in use for unread and queued bytes
 * @param memoryLimitBytes limit of that memory, see {@link StreamLimits#shardMemory(int)}
 * @param memoryRefusals chunks refused. If no smaller chunk helps, the connection is closed ({@link ShardMemoryException})
 */
public record ShardCounters(
        int shard,
        long connections,
        long opened,
        long closed,
        long movedIn,
        long movedOut,
        long passedBy,
        long detected,
        long receivedBytes,
        long sentBytes,
        long acceptFailures,
        long refused,
        long memoryUsedBytes,
        long memoryLimitBytes,
        long memoryRefusals) {}
