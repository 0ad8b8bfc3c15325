package org.cabrank.stream;

/**
 * Memory for unread and queued bytes of a shard's connections.
 *
 * @param shard from 0
 * @param usedBytes of the chunks in use now, a little late
 * @param limitBytes see {@link StreamLimits#shardMemory(int)}
 * @param refusals chunks refused since the start: each closes its connection with a {@link ShardMemoryException}, unless a smaller
 *     one serves
 */
public record ShardMemory(int shard, long usedBytes, long limitBytes, long refusals) {}
