package org.cabrank.http;

import org.cabrank.stream.Connection;

/** The wait for a client that does not take its answers, for later requests and a task of the service. Used in callbacks. */
final class OutputRoom {
    private Runnable task;
    private boolean readingPaused;

    /** Returns true if the next request must wait; reading is paused then. */
    boolean isFull(Connection connection) {
        if (connection.isWritable()) {
            return false;
        }
        readingPaused = true;
        connection.pauseReading();
        return true;
    }

    /** Runs the task if there is room, otherwise when there is. Returns false if it waits. */
    boolean runOrAwait(Connection connection, Runnable wanted) {
        if (connection.isWritable()) {
            wanted.run();
            return true;
        }
        task = wanted;
        return false;
    }

    void writable(Connection connection) {
        Runnable waiting = task;
        task = null;
        if (waiting != null) {
            waiting.run();
        }
        if (readingPaused) {
            readingPaused = false;
            connection.resumeReading();
        }
    }
}
