package org.cabrank.bench.contender;

import java.net.InetSocketAddress;
import java.util.List;
import org.cabrank.bench.report.ShardLoad;

/** A contender that accepts connections. Closing ends its threads and waits for them. */
public interface RunningServer extends AutoCloseable {

    /** Where it listens, with the port that the kernel gave. */
    InetSocketAddress address();

    /** What it found out about itself when it started, for the report: a backend's or a kernel binding's name. */
    String details();

    /** What its shards have come to since it was started, in their order; empty where it has none to tell of. */
    default List<ShardLoad> shards() {
        return List.of();
    }

    @Override
    void close();
}
