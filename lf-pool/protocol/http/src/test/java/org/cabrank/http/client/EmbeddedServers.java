package org.cabrank.http.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** Servers without sockets, which a test plays: keeps each connection that a client makes. */
final class EmbeddedServers implements HttpConnector, AutoCloseable {
    private final List<EmbeddedConnection> made = Collections.synchronizedList(new ArrayList<>());

    @Override
    public CompletableFuture<Connection> connect(String host, int port, ConnectionHandler handler) {
        EmbeddedConnection connection = EmbeddedConnection.open(handler);
        made.add(connection);
        return CompletableFuture.completedFuture(connection.connection());
    }

    int connections() {
        return made.size();
    }

    /** The connection that the client has made after so many others. */
    EmbeddedConnection connection(int index) {
        return made.get(index);
    }

    EmbeddedConnection last() {
        return made.get(made.size() - 1);
    }

    @Override
    public void close() {
        List.copyOf(made).forEach(EmbeddedConnection::close);
    }
}
