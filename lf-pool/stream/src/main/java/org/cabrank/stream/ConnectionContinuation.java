package org.cabrank.stream;

/**
 * Continuation of a connection's handler after the end of offloaded work ({@link Connection#offload}):
 * a callback of the connection like any other, before all that has come since.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface ConnectionContinuation<T> {

    /**
     * The work has answered. May hand further work away.
     *
     * @throws Exception as from any callback: closes the connection, is counted, logged once per kind, and reaches
     *     {@link ConnectionHandler#closed}
     */
    void resume(Connection connection, T result) throws Exception;

    /** The work has thrown. Thrown on by default, which closes the connection with that cause. */
    default void failed(Connection connection, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
