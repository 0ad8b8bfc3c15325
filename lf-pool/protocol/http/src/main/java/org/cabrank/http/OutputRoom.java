package org.cabrank.http;

import org.cabrank.stream.Connection;

/** Holds later requests and a task of the service back until the client has taken its answers. Used in callbacks. */
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

    /** Runs the task now if there is room, else as soon as there is room. Returns false if the task waits. */
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
