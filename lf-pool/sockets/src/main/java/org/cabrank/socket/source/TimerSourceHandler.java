package org.cabrank.socket.source;

/** Handler of a {@link TimerSource}. Calls never overlap. */
@FunctionalInterface
public interface TimerSourceHandler {

    /** @param times number of expirations since the last call, at least 1 */
    void handleExpired(TimerSource source, long times) throws Exception;

    /** The source has been closed. This is the last call. {@code cause} is null unless a failure closed the source. */
    default void handleClosed(TimerSource source, Throwable cause) {}
}
