package org.cabrank.bench.contender;

import java.net.InetSocketAddress;

/** A contender that accepts connections. Closing ends its threads and waits for them. */
public interface RunningServer extends AutoCloseable {

    InetSocketAddress address();

    /** Facts found at the start, for the report: a backend's or a kernel binding's name. */
    String details();

    @Override
    void close();
}
