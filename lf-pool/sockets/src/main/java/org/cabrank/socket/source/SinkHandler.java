package org.cabrank.socket.source;

/** Handler of the notifications of a {@link PipeSink}. Calls never overlap. */
public interface SinkHandler {

    /** Everything has been written that was queued, after {@link PipeSink#write} had refused something. */
    default void handleRoom(PipeSink sink) throws Exception {}

    /**
     * The sink has been closed; the last call. {@code cause} is null after {@link PipeSink#close} and
     * {@link PipeSink#finish}; else it says what went wrong, EPIPE when nobody reads any more, and
     * {@link PipeSink#queuedBytes} says how much was not written.
     */
    default void handleClosed(PipeSink sink, Throwable cause) {}
}
