package org.cabrank.stream;

/**
 * Counts of one {@link Listener}, in all shards, since it was made. They are read one after another and may change in between.
 *
 * @param accepted connections that the kernel has handed to the listener, including {@code refused} and {@code overLimit}
 * @param refused connections that were accepted and then closed without a handler, because the {@link ConnectionAcceptor}, the supplier of
 *     handlers or the shard refused, or the kernel refused an option
 * @param overLimit connections reset because of {@link ListenOptions#connectionsMax} or {@link ListenOptions#connectionsPerPeerMax}
 * @param acceptFailures attempts to accept a connection that have failed
 * @param ratePauses pauses for {@link ListenOptions#acceptRate} during which a connection has waited; each shard counts its own pauses
 */
public record ListenerCounters(long accepted, long refused, long overLimit, long acceptFailures, long ratePauses) {}
