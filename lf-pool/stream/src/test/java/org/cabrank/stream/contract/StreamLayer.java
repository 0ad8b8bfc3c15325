package org.cabrank.stream.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import org.cabrank.stream.ConnectionHandler;

/** A layer between handlers and sockets that a contract is run through, such as TLS. */
public interface StreamLayer {
    /** Handlers and clients use the sockets themselves. */
    StreamLayer NONE = new StreamLayer() {
        @Override
        public Supplier<ConnectionHandler> handlers(Supplier<ConnectionHandler> handlers) {
            return handlers;
        }

        @Override
        public Wire client(SocketChannel connected) {
            return new Wire() {
                @Override
                public int read(ByteBuffer to) throws IOException {
                    return connected.read(to);
                }

                @Override
                public void write(ByteBuffer from) throws IOException {
                    while (from.hasRemaining()) {
                        connected.write(from);
                    }
                }

                @Override
                public void endOutput() throws IOException {
                    connected.shutdownOutput();
                }

                @Override
                public void close() throws IOException {
                    connected.close();
                }
            };
        }
    };

    /** Decorates the handlers of the reactor under test. */
    Supplier<ConnectionHandler> handlers(Supplier<ConnectionHandler> handlers);

    /** Returns the client's side of the layer over a connected channel. */
    Wire client(SocketChannel connected) throws IOException;

    /** A client's bytes, above the layer. All calls block. */
    interface Wire {
        /** Returns the number of bytes read; negative: the peer has ended in order. */
        int read(ByteBuffer to) throws IOException;

        void write(ByteBuffer from) throws IOException;

        /** Sends the end of this side's output; reading continues. */
        void endOutput() throws IOException;

        void close() throws IOException;
    }
}
