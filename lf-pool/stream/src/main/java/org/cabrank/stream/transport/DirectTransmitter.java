package org.cabrank.stream.transport;

import java.io.IOException;

/** Sends bytes from any memory, without the connection's queue. Used by the claim holder. */
public interface DirectTransmitter extends Transmitter {
    /** Sends as many bytes as the socket takes at once, at most {@code count}; returns their number. An exception ends the connection. */
    int send(long address, int count) throws IOException;
}
