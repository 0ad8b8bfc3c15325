package org.cabrank.lf.handle;

/**
 * Handler of the events of a handle (POSA2: Event Handler). For an iterative handle, calls never overlap, follow the order of detection,
 * and are made by any thread of the pool. Several threads may call the handler of a {@linkplain Handle#isConcurrent concurrent} handle at
 * once, but {@link #handleClosed} is called after all threads have left.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Called when the handle is ready. A handle that watches edges is not reported again for the same readiness. So read or write until the
     * kernel would block, or {@link Handle#post} to the handle to continue later.
     *
     * @param ready bits of {@link Ready}
     * @throws Exception closes the handle, is counted, and is logged once per kind. So is any error, such as a {@link StackOverflowError},
     *     an {@link OutOfMemoryError}, or the {@link InternalError} of a truncated mapped file. The thread lives on
     */
    void handleEvent(Handle handle, int ready) throws Exception;

    /**
     * Called before this handler waits for a {@link org.cabrank.lf.Reply}, by the thread that runs it and still owns the handle. Afterwards
     * any thread may process further events of the handle, and the waiting handler never owns the handle again: leave state here that the
     * next call of the handler can use. For a concurrent handle, which no thread owns, post to the handle if the edge may stand for further
     * events; this method may be called more than once before a wait ends.
     *
     * @throws IllegalStateException if the handler must not wait; {@link org.cabrank.lf.Reply#await} throws it to its caller
     */
    default void beforeNestedWait(Handle handle) {}

    /** Names the object that the handler serves, such as a connection, for messages about the handle. The default is empty. */
    default String description() {
        return "";
    }

    /** The last call: the handle has been closed. {@code cause} is the failure that closed the handle, or null. */
    default void handleClosed(Handle handle, Throwable cause) {}
}
