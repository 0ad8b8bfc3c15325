package org.cabrank.lf.handle;

/**
 * Continues a handler after offloaded work ({@link Handle#offload}). Called like the handler on a thread of the pool: never beside another
 * call for that handle, and before all that has become ready, was posted or has expired since.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface Continuation<T> {

    /** Called with the work's result; may offload again. An exception closes the handle, is counted, and is logged once per kind. */
    void resume(Handle handle, T result) throws Exception;

    /** Called if the work has thrown. The default rethrows, which closes the handle with that cause, and counts and logs it. */
    default void failed(Handle handle, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
