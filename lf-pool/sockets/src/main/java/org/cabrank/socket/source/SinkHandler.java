package org.cabrank.socket.source;

/** Handler of the notifications of a {@link PipeSink}. Calls never overlap. */
public interface SinkHandler {

    /** All queued bytes have been written, and {@link PipeSink#write} had refused bytes before. */
    default void handleRoom(PipeSink sink) throws Exception {}

    /**
     * Last call: the sink has been closed. {@code cause} is null after {@link PipeSink#close} and {@link PipeSink#finish}; EPIPE if the
     * pipe has lost its last reader. {@link PipeSink#queuedBytes} is the number of bytes that were not written.
     */
    default void handleClosed(PipeSink sink, Throwable cause) {}
}
