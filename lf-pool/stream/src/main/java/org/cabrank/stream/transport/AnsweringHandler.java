package org.cabrank.stream.transport;

/** A handler that gives input to other threads, which write the answers outside of callbacks. */
public interface AnsweringHandler {
    /** Returns true if a thread may still answer earlier input. In this case the handler later calls {@code resumeReading}. */
    boolean mayAnswer();
}
