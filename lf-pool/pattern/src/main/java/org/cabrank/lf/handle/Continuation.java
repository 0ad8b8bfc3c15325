package org.cabrank.lf.handle;

/**
 * Continues a handler after offloaded work ({@link Handle#offload}). A thread of the pool calls it in the same way as the handler. Calls
 * for one handle never overlap. Events, posts and timers that arrive during the work wait until the continuation has run.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface Continuation<T> {

    /** Called with the result of the work. It may offload again. If it throws, the handle is closed, and the exception is logged. */
    void resume(Handle handle, T result) throws Exception;

    /** Called if the work has thrown. The default rethrows the failure, so the handle is closed with this cause. */
    default void failed(Handle handle, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
