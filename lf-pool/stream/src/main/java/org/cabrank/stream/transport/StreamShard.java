package org.cabrank.stream.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** One handle set, its listeners and its connections. Any thread. */
public interface StreamShard {

    HandleSet handleSet();

    StreamContext context();

    /** Connects; a pool thread completes the future before {@code opened}. If anyone else completes the future, the attempt ends. */
    CompletableFuture<Connection> connect(SocketAddress address, ConnectOptions options, ConnectionHandler handler);

    /** Accepts what the kernel has, answers what was received, closes connections and listeners. Does not wait. */
    void drain();

    /**
     * Called by any thread when the shard's threads have not ended in time: resets the connections and ends the listening, so that peers
     * and addresses are free. Descriptors stay open until {@link StreamBackend#close}, because a handler that still runs may use their
     * numbers: what it writes is dropped.
     */
    void cutOff();

    /** Returns a copy: the connections that the shard serves or is handed at this moment. */
    List<Connection> connections();

    /** Number of listeners and connections. */
    int streamCount();
}
