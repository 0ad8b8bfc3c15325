package org.cabrank.bench.handler;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Sends back the bytes that it receives. All bytes of one read count as one request. One object serves any number of connections. */
public record EchoHandler(HandlerWork work) implements ConnectionHandler {

    @Override
    public void data(Connection connection, ByteBuffer data) {
        work.perform();
        connection.write(data);
    }
}
