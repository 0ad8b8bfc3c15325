package org.cabrank.handover;

import java.io.IOException;
import java.util.List;

/** Listening sockets that a successor may take. */
interface OfferedSockets {
    /** Returns duplicates of the descriptors, which the caller closes. */
    List<HandedListener> share() throws IOException;

    /** Called when the successor did not replace this process. */
    default void unshare() {}
}
