package org.cabrank.bench.contender;

import java.net.InetSocketAddress;

/** A contender that accepts connections. Closing ends its threads and waits for them. */
public interface RunningServer extends AutoCloseable {

    /** Where it listens, with the port that the kernel gave. */
    InetSocketAddress address();

    /** What it found out about itself when it started, for the report: a backend's or a kernel binding's name. */
    String details();

    @Override
    void close();
}
