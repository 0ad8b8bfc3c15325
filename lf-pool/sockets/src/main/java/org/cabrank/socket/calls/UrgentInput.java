package org.cabrank.socket.calls;

import org.cabrank.lf.handle.EventHandler;

/** Handler of a descriptor that may have urgent data. A receive stops before such data, and has then not taken all. */
public interface UrgentInput extends EventHandler {

    /** Called by the leader before it dispatches the handle. */
    void urgentReported();
}
