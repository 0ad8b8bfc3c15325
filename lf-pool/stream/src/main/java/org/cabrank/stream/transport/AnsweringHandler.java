package org.cabrank.stream.transport;

/** A handler whose answers other threads write, outside of callbacks. */
public interface AnsweringHandler {
    /** In a callback: returns true if a thread may still answer earlier input. Then the handler calls {@code resumeReading} later. */
    boolean mayAnswer();
}
