package org.cabrank.socket.source;

/** Handler of the notifications of a {@link PipeSink}. Calls never overlap. */
public interface SinkHandler {

    /** All queued bytes have been written, after {@link PipeSink#write} had refused some. */
    default void handleRoom(PipeSink sink) throws Exception {}

    /**
     * The sink has been closed; the last call. {@code cause} is null after {@link PipeSink#close} and {@link PipeSink#finish}; EPIPE:
     * nobody reads any more. {@link PipeSink#queuedBytes} is the number of bytes that were not written.
     */
    default void handleClosed(PipeSink sink, Throwable cause) {}
}
