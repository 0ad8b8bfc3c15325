package org.cabrank.http;

import org.cabrank.stream.Connection;

/** Holds back later requests and a task of the service until the client has taken earlier answers. Used only in callbacks. */
final class OutputRoom {
    private Runnable task;
    private boolean readingPaused;

    /** If the next request must wait, pauses reading and returns true. */
    boolean isFull(Connection connection) {
        if (connection.isWritable()) {
            return false;
        }
        readingPaused = true;
        connection.pauseReading();
        return true;
    }

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
