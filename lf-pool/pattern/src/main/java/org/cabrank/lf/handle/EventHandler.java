package org.cabrank.lf.handle;

/**
 * Handler of the events of a handle (POSA2: Event Handler).
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
     * @throws Exception closes the handle, is counted, and is logged once per kind. So is an error of any kind, for instance a
     *     {@link StackOverflowError}, an {@link OutOfMemoryError}, or the {@link InternalError} of a mapped file that was
     *     truncated. The thread lives on
     */
    void handleEvent(Handle handle, int ready) throws Exception;

    /**
     * The thread that runs this handler is about to wait for a {@link org.cabrank.lf.Reply}, and lets go of the handle first:
     * its further events may be processed from now on, by any thread. Called by that thread while it still has the handle to
     * itself, which it does not have when the wait is over: the place to bring into order what the handle's next handler finds.
     * A handler of a concurrent handle, which no thread has to itself, posts to the handle if an edge may stand for further
     * events; it may be called more than once before a wait ends.
     *
     * @throws IllegalStateException when the handler must not wait; {@link org.cabrank.lf.Reply#await} throws it to whoever
     *     called it
     */
    default void beforeNestedWait(Handle handle) {}

    /** Returns the name of what the handler serves, such as a connection, for messages that name its handle. The default is empty. */
    default String description() {
        return "";
    }

    /** The handle has been closed; the last call. {@code cause} is null unless a failure closed it. */
    default void handleClosed(Handle handle, Throwable cause) {}
}
