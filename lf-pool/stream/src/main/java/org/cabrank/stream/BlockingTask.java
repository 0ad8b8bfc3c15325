package org.cabrank.stream;

/** Code that serves one connection from its beginning to its end with blocking calls ({@link BlockingHandlers}). */
@FunctionalInterface
public interface BlockingTask {
    /**
     * Serves the connection. The connection is closed when the method returns: bytes that were written are sent first.
     *
     * @throws Exception closes the connection with that cause, is counted and logged once per kind, and reaches
     *     {@link ConnectionHandler#closed} of decorating handlers. A {@link ConnectionEndedException} of this connection is no failure
     */
    void run(BlockingConnection connection) throws Exception;
}
