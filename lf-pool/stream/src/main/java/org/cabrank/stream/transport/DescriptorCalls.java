package org.cabrank.stream.transport;

import java.io.IOException;

/** The calls of a backend on descriptors that a connection passes. Any thread. */
public interface DescriptorCalls {
    /** Returns a duplicate with close-on-exec. Throws, with cause and remedy, if the original is not open or the process has too many. */
    int duplicate(int descriptor) throws IOException;

    void close(int descriptor);

    /** Closes a received descriptor that no handler has taken, and counts it. */
    void drop(int descriptor);
}
