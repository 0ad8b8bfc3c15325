package org.cabrank.bench.fuzz;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.List;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamLimits;

/**
 * A connection whose handler is called directly, without a pool and a thread of its own, which would be most of the time of a fuzz
 * target. Drops what is written; keeps what the handler leaves unread.
 */
final class DrivenConnection {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 1);

    private final ConnectionHandler handler;
    private final Connection connection;
    private boolean open = true;

    DrivenConnection(ConnectionHandler handler) {
        this.handler = handler;
        connection = (Connection) Proxy.newProxyInstance(
                DrivenConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "write":
                            ByteBuffer data = (ByteBuffer) given[0];
                            data.position(data.limit());
                            return null;
                        case "close", "abort":
                            open = false;
                            return null;
                        case "deadline":
                            return null;
                        case "isReceiving":
                            return open;
                        case "isWritable":
                            return true;
                        case "id":
                            return 1L;
                        case "queuedBytes":
                            return 0L;
                        case "limits":
                            return StreamLimits.DEFAULT;
                        case "remoteAddress", "localAddress":
                            return ADDRESS;
                        default:
                            throw new UnsupportedOperationException(method.toString());
                    }
                });
    }

    /**
     * Gives the pieces to the handler, and then the end of the peer's output. An exception for what the peer has sent closes the
     * connection.
     *
     * @return true if the connection stood until the peer's end
     */
    boolean receiveToEnd(List<ByteBuffer> pieces) {
        ProtocolException refused = null;
        boolean stood = false;
        try {
            handler.opened(connection);
            try {
                ByteBuffer unread = give(pieces);
                stood = open;
                if (open) {
                    handler.inputClosed(connection, unread);
                }
            } catch (ProtocolException malformed) {
                refused = malformed;
            }
            handler.closed(connection, refused);
        } catch (Exception failed) {
            throw new IllegalStateException("the handler has failed", failed);
        }
        return stood;
    }

    /** Returns what the handler has left unread. */
    private ByteBuffer give(List<ByteBuffer> pieces) throws Exception {
        ByteBuffer unread = ByteBuffer.allocate(0);
        for (ByteBuffer piece : pieces) {
            ByteBuffer data = ByteBuffer.allocate(unread.remaining() + piece.remaining())
                    .put(unread)
                    .put(piece.duplicate())
                    .flip();
            if (open) {
                handler.data(connection, data);
            }
            unread = data;
        }
        return unread;
    }
}
