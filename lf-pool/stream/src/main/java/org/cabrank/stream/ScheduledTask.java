package org.cabrank.stream;

/**
 * A task that {@link Connection#schedule} or {@link Connection#scheduleEvery} has scheduled. Any thread.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ScheduledTask {
    /**
     * Prevents further runs; returns false if the task would not run anyway. A run that has begun continues; it may call this method. In a
     * callback of the connection, no run follows after this method has returned true, even if the task was due already.
     */
    boolean cancel();

    /** Returns true if the task will run, or run again, as far as is known now. */
    boolean isActive();
}
