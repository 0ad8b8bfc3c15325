package org.cabrank.stream;

/**
 * Counts of one {@link Listener}, in all shards, since the listener was made; read one after another, while threads may add to them.
 *
 * @param accepted connections that the kernel has handed to the listener; includes the refused and those over the limit
 * @param refused connections that were accepted and closed unserved, because the {@link ConnectionAcceptor} refused them, the supplier of
 *     handlers threw, the shard did not take the connection, or the kernel refused an option for accepted sockets
 * @param overLimit connections reset because of {@link ListenOptions#connectionsMax} or {@link ListenOptions#connectionsPerPeerMax}
 * @param acceptFailures calls or requests to accept that the kernel has failed
 * @param ratePauses pauses for {@link ListenOptions#acceptRate} during which a connection has waited; each shard counts its own pauses
 */
public record ListenerCounters(long accepted, long refused, long overLimit, long acceptFailures, long ratePauses) {}
