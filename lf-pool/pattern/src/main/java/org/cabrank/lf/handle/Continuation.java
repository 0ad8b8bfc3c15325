package org.cabrank.lf.handle;

/**
 * Continuation of a handler after the end of offloaded work ({@link Handle#offload}). Called on a
 * thread of the pool as the handler is: never beside another call for that handle, and before all that has become ready,
 * was posted or has expired since.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface Continuation<T> {

    /**
     * The work has answered. May hand further work away.
     *
     * @throws Exception as from the handler: closes the handle, is counted, and is logged once per kind
     */
    void resume(Handle handle, T result) throws Exception;

    /** The work has thrown. Thrown on by default, which closes the handle with that cause, and counts and logs it. */
    default void failed(Handle handle, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
