package org.cabrank.stream;

/** Continues a handler after {@linkplain Connection#offload offloaded work}, in a callback, before bytes and tasks that have waited. */
@FunctionalInterface
public interface ConnectionContinuation<T> {

    /** The work has returned {@code result}. May offload further work. An exception is treated like an exception of any callback. */
    void resume(Connection connection, T result) throws Exception;

    /** The work has thrown. The default throws the failure, which closes the connection with that cause. */
    default void failed(Connection connection, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
