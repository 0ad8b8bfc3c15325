package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** A server and a client whose bytes the test carries. */
final class TlsPair implements AutoCloseable {
    final EmbeddedConnection server;
    final EmbeddedConnection client;
    private final int chunk;
    private boolean serverEndCarried;
    private boolean clientEndCarried;

    TlsPair(Tls server, ConnectionHandler ofServer, Tls client, ConnectionHandler ofClient, int chunk) {
        this(server.handler(ofServer), client.handler(ofClient), chunk);
    }

    TlsPair(ConnectionHandler server, ConnectionHandler client, int chunk) {
        this.chunk = chunk;
        this.server = EmbeddedConnection.open(server);
        this.client = EmbeddedConnection.open(client);
    }

    /** Carries bytes and ends in both directions until there are no more. */
    void exchange() {
        exchangeUntil(Integer.MAX_VALUE);
    }

    /** Carries so many bytes of the client at most; returns how many of them are left over. */
    int exchangeUntil(int bytesOfClient) {
        int left = bytesOfClient;
        boolean carried = true;
        while (carried) {
            ByteBuffer fromClient = client.peerReceivesBytes();
            fromClient.limit(Math.min(fromClient.limit(), left));
            left -= fromClient.remaining();
            carried = carry(fromClient, server);
            carried |= carry(server.peerReceivesBytes(), client);
            if (client.isOutputEnded() && !clientEndCarried && bytesOfClient == Integer.MAX_VALUE) {
                clientEndCarried = true;
                server.peerEnds();
                carried = true;
            }
            if (server.isOutputEnded() && !serverEndCarried) {
                serverEndCarried = true;
                client.peerEnds();
                carried = true;
            }
        }
        return left;
    }

    private boolean carry(ByteBuffer bytes, EmbeddedConnection to) {
        boolean any = bytes.hasRemaining();
        while (bytes.hasRemaining() && !to.isClosed()) {
            int count = Math.min(chunk, bytes.remaining());
            to.peerSends(
                    ByteBuffer.wrap(Arrays.copyOfRange(bytes.array(), bytes.position(), bytes.position() + count)));
            bytes.position(bytes.position() + count);
        }
        return any;
    }

    ByteBuffer takeFromClient() {
        client.awaitIdle();
        return client.peerReceivesBytes();
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
