package org.cabrank.socket.source;

/** Handler of the notifications of a {@link PipeSink}. Calls never overlap. */
public interface SinkHandler {

    /** All queued bytes have been written, and {@link PipeSink#write} had refused bytes before. */
    default void handleRoom(PipeSink sink) throws Exception {}

    /**
     * The sink has been closed. This is the last call. {@code cause} is null after {@link PipeSink#close} and {@link PipeSink#finish}. If
     * the pipe has lost its last reader, the cause is EPIPE. {@link PipeSink#queuedBytes} is the number of bytes that were not written.
     */
    default void handleClosed(PipeSink sink, Throwable cause) {}
}
