package org.cabrank.lf.handle;

/**
 * Continues a handler after offloaded work ({@link Handle#offload}). Called on a thread of the pool, like the handler. Calls for one handle
 * never overlap. The continuation runs before the handler is called for what has become ready, was posted or has expired since.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface Continuation<T> {

    /** Called with the work's result; may offload again. An exception closes the handle, is counted, and is logged once per kind. */
    void resume(Handle handle, T result) throws Exception;

    /** Called if the work has thrown. The default rethrows the failure, which closes the handle with this cause, and counts and logs it. */
    default void failed(Handle handle, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
