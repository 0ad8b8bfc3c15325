package org.cabrank.lf.dispatch;

/** Calls of the event handlers of handles. Each is made by a holder of the handle's claim, unless it says otherwise. */
public interface HandlerCalls {
    /** Calls the handler with the bits that are ready. */
    void handleEvent(HandleState handle, int ready) throws Exception;

    /** Calls the handler of a handle that is closed. The cause is null if the close was requested. */
    void handleClosed(HandleState handle, Throwable cause);

    /** Tells a handler that is about to wait for a reply that the handle is let go. */
    void beforeNestedWait(HandleState handle);

    /** Any thread: returns true if a graceful stop has the handler called once more. */
    boolean isCalledLast(HandleState handle);

    /** Any thread: returns true if the backend has a descriptor to arm and to close. */
    boolean hasDescriptor(HandleState handle);

    /** Any thread: the class of the handler, for recordings. */
    Class<?> handlerClass(HandleState handle);
}
