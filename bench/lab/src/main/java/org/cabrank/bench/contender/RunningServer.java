package org.cabrank.bench.contender;

import java.net.InetSocketAddress;

/** A contender that is serving. {@link #close} waits until its threads have ended. */
public interface RunningServer extends AutoCloseable {

    InetSocketAddress address();

    /** Returns facts that the server found at its start, such as the name of its backend. */
    String details();

    @Override
    void close();
}
