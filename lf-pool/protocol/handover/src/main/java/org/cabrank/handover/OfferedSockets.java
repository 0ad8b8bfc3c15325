package org.cabrank.handover;

import java.io.IOException;
import java.util.List;

/** Listening sockets that a successor may take. */
interface OfferedSockets {
    /** The caller closes the duplicates. */
    List<HandedListener> share() throws IOException;

    /** Called if the successor did not replace this process. */
    default void unshare() {}
}
