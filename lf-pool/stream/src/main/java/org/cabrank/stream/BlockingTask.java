package org.cabrank.stream;

/** Code that serves one connection from its beginning to its end with blocking calls ({@link BlockingHandlers}). */
@FunctionalInterface
public interface BlockingTask {
    /**
     * Serves the connection, which is closed when the method returns; written bytes are sent first. An exception closes the connection with
     * that cause, is counted and logged once per kind, and reaches {@link ConnectionHandler#closed} of decorating handlers; a {@link
     * ConnectionEndedException} of this connection is no failure.
     */
    void run(BlockingConnection connection) throws Exception;
}
