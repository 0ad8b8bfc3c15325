package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.handle.Handle;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.StreamConnection;

/**
 * The input for a shard's new connection. The addresses of an accepted connection may be null if they are not known yet.
 *
 * @param accepted source of unknown addresses; null for an outgoing connection
 * @param connecting future of an outgoing connection; null for an accepted connection
 * @param posted ready bits that the connection's handler is called with first; 0 for none
 * @param deadlineNs deadline of the timer of the connection's handle, or {@link Handle#NO_DEADLINE}
 */
public record NewStream(
        int fd,
        SocketAddress remote,
        SocketAddress local,
        AcceptedAddresses accepted,
        ConnectionHandler handler,
        ConnectionTerms terms,
        CompletableFuture<Connection> connecting,
        int posted,
        long deadlineNs) {

    static NewStream accepted(
            int fd,
            SocketAddress remote,
            SocketAddress local,
            AcceptedAddresses accepted,
            ConnectionHandler handler,
            ConnectionTerms terms) {
        return new NewStream(
                fd, remote, local, accepted, handler, terms, null, StreamConnection.OPENED, Handle.NO_DEADLINE);
    }

    static NewStream requested(
            int fd,
            SocketAddress remote,
            ConnectionHandler handler,
            ConnectionTerms terms,
            CompletableFuture<Connection> connecting,
            long deadlineNs) {
        return new NewStream(fd, remote, null, null, handler, terms, connecting, 0, deadlineNs);
    }

    public boolean isConnecting() {
        return connecting != null;
    }
}
