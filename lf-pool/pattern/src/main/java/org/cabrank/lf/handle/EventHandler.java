package org.cabrank.lf.handle;

/**
 * Handler of the events of a handle (POSA2: Event Handler). Any thread of the pool may call it. For an iterative handle, calls never
 * overlap, and they come in the order of detection. For a {@linkplain Handle#isConcurrent concurrent} handle, several threads may call the
 * handler at the same time. {@link #handleClosed} is called only after all threads have left.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Called when the handle is ready. If the handle watches edges, it is not reported again for the same readiness. So read or write until
     * the kernel would block, or {@link Handle#post} to the handle to continue later.
     *
     * @param ready bits of {@link Ready}
     * @throws Exception any exception or error closes the handle, and is counted and logged once per kind. The thread survives
     */
    void handleEvent(Handle handle, int ready) throws Exception;

    /**
     * Called before this handler waits for a {@link org.cabrank.lf.Reply}, by the thread that runs the handler. From now on any thread may
     * process further events of the handle. So this method should leave the state in a form that the next call of the handler can use.
     *
     * <p>A concurrent handle has no owner. Its handler should post to the handle if the edge may stand for further events. For such a
     * handle this method may be called several times before a wait ends.
     *
     * @throws IllegalStateException if the handler must not wait. {@link org.cabrank.lf.Reply#await} throws this exception to its caller
     */
    default void beforeNestedWait(Handle handle) {}

    /** Returns the name of the served object, such as a connection, for messages about the handle. The default is empty. */
    default String description() {
        return "";
    }

    /** Called when the handle has been closed. No other call follows. {@code cause} is the failure that closed the handle, or null. */
    default void handleClosed(Handle handle, Throwable cause) {}
}
