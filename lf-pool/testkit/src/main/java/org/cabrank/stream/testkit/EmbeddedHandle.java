package org.cabrank.stream.testkit;

import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.stream.transport.StreamConnection;

final class EmbeddedHandle extends Handle {
    EmbeddedHandle(EmbeddedSet set, EventHandler handler) {
        super(set, handler, false, StreamConnection.WHEN_OFFLOADED);
    }

    @Override
    public String toString() {
        return "an embedded connection";
    }
}
