package org.cabrank.socket.source;

/** Handler of a {@link TimerSource}. Calls never overlap. */
@FunctionalInterface
public interface TimerSourceHandler {

    /** @param times number of expirations since the last call, at least 1 */
    void handleExpired(TimerSource source, long times) throws Exception;

    /** Last call: the source has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(TimerSource source, Throwable cause) {}
}
