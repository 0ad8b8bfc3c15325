package org.cabrank.lf;

/**
 * What is done with the events of a handle (POSA2: Event Handler).
 *
 * <p>Calls for one handle never overlap and come in the order of detection; they may come on any thread of the pool. That
 * holds for iterative handles; the handler of a {@linkplain Handle#isConcurrent concurrent} one is called by several threads
 * at once, except for {@link #handleClosed}, which comes when all of them have left.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * The handle is ready. A handle that watches edges is not reported again for what it is ready for now, so read or
     * write until the kernel would block, or {@link Handle#post} the rest to the handle itself.
     *
     * @param ready bits of {@link Ready}
     * @throws Exception closes the handle, is counted, and is logged once per kind
     */
    void handleEvent(Handle handle, int ready) throws Exception;

    /** The handle has been closed; the last call. {@code cause} is null unless a failure closed it. */
    default void handleClosed(Handle handle, Throwable cause) {}
}
