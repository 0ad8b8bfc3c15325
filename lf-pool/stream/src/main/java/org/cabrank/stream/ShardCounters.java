package org.cabrank.stream;

/**
 * Counts of a shard since the start. Read without a lock: each count may lack what other threads do at this moment.
 *
 * @param shard from 0
 * @param connections that the shard serves now
 * @param opened connections that were opened in this shard
 * @param closed connections that ended in this shard
 * @param movedIn connections that have come from other shards ({@link Connection#moveTo})
 * @param movedOut connections that have gone to other shards
 * @param passedBy connections that {@link AcceptMode} chose this shard for and another serves, because too many were not opened yet
 * @param detected events that the kernel has reported
 * @param receivedBytes bytes received on its connections, given to handlers or about to be
 * @param sentBytes bytes of its connections that the kernel has taken
 * @param acceptFailures calls and requests to accept a connection that have failed, for one connection or for want of descriptors or
 *     memory; EAGAIN and EINTR are not counted
 * @param refused connections accepted and closed unserved: the supplier of handlers failed, or the kernel did not take the descriptor
 * @param memoryUsedBytes memory of the chunks in use for unread and queued bytes
 * @param memoryLimitBytes limit of that memory, see {@link StreamLimits#shardMemory(int)}
 * @param memoryRefusals chunks refused: each closes its connection with a {@link ShardMemoryException}, unless a smaller chunk serves
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
