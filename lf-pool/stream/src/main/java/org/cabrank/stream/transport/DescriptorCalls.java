package org.cabrank.stream.transport;

import java.io.IOException;

/** The backend's calls on descriptors that a connection passes or receives. Any thread may make them. */
public interface DescriptorCalls {
    /** Returns a duplicate with close-on-exec. Throws, with a remedy, if the original is not open or there are too many descriptors. */
    int duplicate(int descriptor) throws IOException;

    void close(int descriptor);

    /** Closes a received descriptor that no handler has taken, and counts it. */
    void drop(int descriptor);
}
