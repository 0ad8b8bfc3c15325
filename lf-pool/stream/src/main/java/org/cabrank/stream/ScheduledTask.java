package org.cabrank.stream;

/**
 * A task that {@link Connection#schedule} or {@link Connection#scheduleEvery} has scheduled. Any thread may call the methods.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ScheduledTask {
    /**
     * Prevents further runs. Returns false if the task would not run again anyway. A run that has begun continues. After a result of true
     * in a callback of the connection, no run follows, even if the task was already due.
     */
    boolean cancel();

    /** Returns true if the task will run, or run again, as far as is known now. */
    boolean isActive();
}
