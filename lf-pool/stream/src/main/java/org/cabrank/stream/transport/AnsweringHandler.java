package org.cabrank.stream.transport;

/** A handler whose answers other threads write, outside of callbacks. */
public interface AnsweringHandler {
    /**
     * In a callback: returns true if a thread may still answer earlier input. When that is over, the handler calls {@link
     * org.cabrank.stream.Connection#resumeReading}, though reading is not paused.
     */
    boolean mayAnswer();
}
