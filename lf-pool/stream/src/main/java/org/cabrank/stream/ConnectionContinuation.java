package org.cabrank.stream;

/**
 * What a connection's handler goes on with when work that it has handed away ({@link Connection#offload}) has come to its
 * end: a callback of the connection like any other, before all that has come since.
 *
 * @param <T> what the work answers
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
