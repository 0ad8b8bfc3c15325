package org.cabrank.stream;

import java.io.IOException;

/** This {@link BlockingConnection} has ended or was closed. The cause is that of {@link ConnectionHandler#closed}, or null. */
public final class ConnectionEndedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Connection connection;

    ConnectionEndedException(Connection connection, String message, Throwable cause) {
        super(message, cause);
        this.connection = connection;
    }

    boolean concerns(Connection other) {
        return connection == other;
    }
}
