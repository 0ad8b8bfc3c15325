package org.cabrank.lf.dispatch;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** The calls of dispatch to the backend of its handle set. {@code org.cabrank.lf.HandleSet} documents each call for backends. */
public interface BackendCalls {
    long nanoTime();

    HarvestedEvents newHarvest();

    void interruptAwait();

    void rearm(HandleState handle) throws IOException;

    void closeDescriptor(HandleState handle);

    void submitRequests();

    BooleanSupplier newThreadProbe();
}
