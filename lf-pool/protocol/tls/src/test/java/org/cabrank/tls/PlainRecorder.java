package org.cabrank.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Records the plaintext that a side has received. */
final class PlainRecorder implements ConnectionHandler {
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    volatile TlsConnection connection;
    volatile boolean inputClosed;
    volatile boolean ended;
    volatile Throwable cause;

    @Override
    public void opened(Connection opened) {
        connection = (TlsConnection) opened;
    }

    @Override
    public void data(Connection own, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        received.writeBytes(bytes);
    }

    @Override
    public void inputClosed(Connection own, ByteBuffer unread) {
        inputClosed = true;
        own.close();
    }

    @Override
    public void closed(Connection own, Throwable thrown) {
        cause = thrown;
        ended = true;
    }

    byte[] bytes() {
        return received.toByteArray();
    }

    String text() {
        return received.toString(StandardCharsets.UTF_8);
    }
}
