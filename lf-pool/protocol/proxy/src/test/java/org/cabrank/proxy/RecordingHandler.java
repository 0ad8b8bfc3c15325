package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Records its calls, each of which must have the same proxied connection, and reads all bytes. */
class RecordingHandler implements ConnectionHandler {
    final List<String> calls = new ArrayList<>();
    final StringBuilder received = new StringBuilder();
    volatile ProxiedConnection connection;
    volatile Throwable cause;

    final void note(Connection given, String call) {
        if (connection == null) {
            connection = assertInstanceOf(ProxiedConnection.class, given);
        }
        assertSame(connection, given);
        calls.add(call);
    }

    static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    @Override
    public void opened(Connection given) throws Exception {
        note(given, "opened");
    }

    @Override
    public void data(Connection given, ByteBuffer data) throws Exception {
        String text = text(data);
        received.append(text);
        note(given, "data " + text);
    }

    @Override
    public void writable(Connection given) {
        note(given, "writable");
    }

    @Override
    public void deadlinePassed(Connection given) {
        note(given, "deadlinePassed");
    }

    @Override
    public void inputClosed(Connection given, ByteBuffer unread) {
        note(given, "inputClosed " + text(unread));
        given.close();
    }

    @Override
    public void draining(Connection given) {
        note(given, "draining");
        given.close();
    }

    @Override
    public void beforeNestedWait(Connection given) {
        note(given, "beforeNestedWait");
    }

    @Override
    public void closed(Connection given, Throwable reason) {
        note(given, "closed");
        cause = reason;
    }
}
