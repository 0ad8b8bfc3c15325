package org.cabrank.stream;

import java.io.IOException;

/**
 * A call of a {@link BlockingConnection} cannot succeed any more, because the connection has ended or was closed by this side. The message
 * names the reason; {@link #getCause} is the cause that {@link ConnectionHandler#closed} was given, or null.
 */
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
