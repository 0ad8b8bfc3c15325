package org.cabrank.stream;

/**
 * A task that {@link Connection#schedule} or {@link Connection#scheduleEvery} has scheduled. Any thread.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ScheduledTask {
    /**
     * Prevents further runs. A run that has begun ends; it may be the caller. In a callback of the connection, no run follows a
     * cancellation that has returned true, not even if the task was due already. False: the task will not run anyway.
     */
    boolean cancel();

    /** Returns true if the task will run, or run again, as far as is known now. */
    boolean isActive();
}
