package org.cabrank.socket.source;

/** Handler of the signals of a {@link SignalSource}. Calls never overlap. */
@FunctionalInterface
public interface SignalHandler {

    /** A signal has arrived. Unlike a signal handler in C, this is an ordinary call, in which any call is allowed. */
    void handleSignal(SignalSource source, ReceivedSignal signal) throws Exception;

    /** Last call: the source has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(SignalSource source, Throwable cause) {}
}
