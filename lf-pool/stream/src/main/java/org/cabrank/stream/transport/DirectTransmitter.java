package org.cabrank.stream.transport;

import java.io.IOException;

/** Sends bytes from wherever they are, without the connection's queue. By the claim holder. */
public interface DirectTransmitter extends Transmitter {
    /**
     * Sends from {@code address} as many bytes as the socket takes at once.
     *
     * @return number of the {@code count} bytes that the socket took, perhaps 0
     * @throws IOException ends the connection
     */
    int send(long address, int count) throws IOException;
}
