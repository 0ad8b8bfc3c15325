package org.cabrank.stream.transport;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** A handle set with its listeners and its connections. Any thread may call the methods. */
public interface StreamShard {

    HandleSet handleSet();

    StreamContext context();

    /** Connects. A pool thread completes the future before it calls {@code opened}. If the future is already complete, the attempt ends. */
    CompletableFuture<Connection> connect(SocketAddress address, ConnectOptions options, ConnectionHandler handler);

    /** Accepts the completed connections, answers the received input, and closes connections and listeners. Does not wait. */
    void drain();

    /**
     * Called by any thread if the shard's threads have not ended in time. Resets the connections and ends listening. Descriptors stay open
     * until {@link StreamBackend#close}, because a handler that still runs may use their numbers.
     */
    void cutOff();

    /** Returns a copy of the list of connections. It includes connections that another shard hands to this shard at this moment. */
    List<Connection> connections();

    /** Number of listeners and connections. */
    int streamCount();
}
