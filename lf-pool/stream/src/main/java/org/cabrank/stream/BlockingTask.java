package org.cabrank.stream;

/** Code that serves one connection from its beginning to its end with blocking calls ({@link BlockingHandlers}). */
@FunctionalInterface
public interface BlockingTask {
    /**
     * Serves the connection. When the method returns, written bytes are sent and the connection is closed. If it throws an exception, the
     * connection is closed with that cause. The exception is counted and logged once per kind, unless it is a {@link
     * ConnectionEndedException} of this connection.
     */
    void run(BlockingConnection connection) throws Exception;
}
