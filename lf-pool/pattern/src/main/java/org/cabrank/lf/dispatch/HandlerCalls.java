package org.cabrank.lf.dispatch;

/** Calls of the event handlers of handles. Each is made by a holder of the handle's claim, unless it says otherwise. */
public interface HandlerCalls {
    void handleEvent(HandleState handle, int ready) throws Exception;

    void handleClosed(HandleState handle, Throwable cause);

    /** Tells a handler that is about to wait for a reply that the handle is let go. */
    void beforeNestedWait(HandleState handle);

    /** Any thread: returns true if a graceful stop has the handler called once more. */
    boolean isCalledLast(HandleState handle);

    /** Any thread: returns true if the backend has a descriptor to arm and to close. */
    boolean hasDescriptor(HandleState handle);

    Class<?> handlerClass(HandleState handle);
}
