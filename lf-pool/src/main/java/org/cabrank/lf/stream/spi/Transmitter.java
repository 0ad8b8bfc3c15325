package org.cabrank.lf.stream.spi;

import java.io.IOException;

/** How a backend sends. By the claim holder. */
public interface Transmitter {

    /**
     * Sends from {@code address} as far as the socket takes it at once.
     *
     * @return how many of the {@code count} bytes it took, perhaps 0
     * @throws IOException ends the connection
     */
    int send(long address, int count) throws IOException;
}
