package org.cabrank.socket.source;

/** Handler of the signals of a {@link SignalSource}. Calls never overlap. */
@FunctionalInterface
public interface SignalHandler {

    /** A signal has arrived. Unlike a signal handler in C, this method may call any other method. */
    void handleSignal(SignalSource source, ReceivedSignal signal) throws Exception;

    /** The source has been closed. This is the last call. {@code cause} is null unless a failure closed the source. */
    default void handleClosed(SignalSource source, Throwable cause) {}
}
