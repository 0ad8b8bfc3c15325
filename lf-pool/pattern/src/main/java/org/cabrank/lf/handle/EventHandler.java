package org.cabrank.lf.handle;

/**
 * Handler of the events of a handle (POSA2: Event Handler). For an iterative handle, calls never overlap, follow the order of detection,
 * and are made by any thread of the pool. Several threads at once call the handler of a {@linkplain Handle#isConcurrent concurrent} handle,
 * except for {@link #handleClosed}, which follows when all have left.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * The handle is ready. A handle that watches edges is not reported again for the same readiness, so read or write until the kernel
     * would block, or {@link Handle#post} the rest to the handle itself.
     *
     * @param ready bits of {@link Ready}
     * @throws Exception closes the handle, is counted, and is logged once per kind. So is any error, such as a {@link StackOverflowError},
     *     an {@link OutOfMemoryError}, or the {@link InternalError} of a truncated mapped file. The thread lives on
     */
    void handleEvent(Handle handle, int ready) throws Exception;

    /**
     * Called by the thread that runs this handler before it waits for a {@link org.cabrank.lf.Reply}, while it still owns the handle.
     * Afterwards any thread may process the handle's further events, and the waiting handler does not own the handle again: put in order
     * here what the next handler finds. A handler of a concurrent handle, which no thread owns, posts to the handle if an edge may stand
     * for further events; it may be called more than once before a wait ends.
     *
     * @throws IllegalStateException if the handler must not wait; {@link org.cabrank.lf.Reply#await} throws it to its caller
     */
    default void beforeNestedWait(Handle handle) {}

    /** Names what the handler serves, such as a connection, for messages about its handle. The default is empty. */
    default String description() {
        return "";
    }

    /** The last call: the handle has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(Handle handle, Throwable cause) {}
}
