package org.cabrank.lf;

import org.cabrank.lf.dispatch.HandleState;
import org.cabrank.lf.dispatch.HandlerCalls;

/** Calls the event handlers of {@link Handle handles} for dispatch, which knows neither of them. */
final class EventHandlerCalls implements HandlerCalls {
    static final EventHandlerCalls CALLS = new EventHandlerCalls();

    private EventHandlerCalls() {}

    @Override
    public void handleEvent(HandleState state, int ready) throws Exception {
        Handle handle = (Handle) state;
        handle.handler().handleEvent(handle, ready);
    }

    @Override
    public void handleClosed(HandleState state, Throwable cause) {
        Handle handle = (Handle) state;
        handle.handler().handleClosed(handle, cause);
    }

    @Override
    public void beforeNestedWait(HandleState state) {
        Handle handle = (Handle) state;
        handle.handler().beforeNestedWait(handle);
    }

    @Override
    public boolean isCalledLast(HandleState handle) {
        return ((Handle) handle).isCalledLast();
    }

    @Override
    public boolean hasDescriptor(HandleState handle) {
        return ((Handle) handle).hasDescriptor();
    }

    @Override
    public Class<?> handlerClass(HandleState handle) {
        return ((Handle) handle).handler().getClass();
    }
}
