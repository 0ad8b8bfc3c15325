package org.cabrank.stream.transport;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;

/** Supplier of handlers that need certain limits of their connections. A listener with unfit limits is refused when it starts. */
public interface LimitedHandlers extends Supplier<ConnectionHandler> {
    /** @throws IllegalArgumentException if the handlers cannot work with these limits. The message names the cause and a remedy */
    void requireFit(StreamLimits limits);

    static void requireFit(Supplier<?> handlers, StreamLimits limits) {
        if (handlers instanceof LimitedHandlers limited) {
            limited.requireFit(limits);
        }
    }

    static LimitedHandlers of(Supplier<ConnectionHandler> handlers, Consumer<StreamLimits> check) {
        return new LimitedHandlers() {
            @Override
            public ConnectionHandler get() {
                return handlers.get();
            }

            @Override
            public void requireFit(StreamLimits limits) {
                check.accept(limits);
            }
        };
    }
}
