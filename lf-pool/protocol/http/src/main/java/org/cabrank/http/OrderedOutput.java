package org.cabrank.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ReactorFile;

/**
 * The bytes of one answer, in order whichever thread writes them: what another thread than a callback has written is mail of the
 * connection, which a callback would overtake by writing at once. One thread at a time.
 */
final class OrderedOutput {
    private final HttpConnection http;

    /** Another thread than a callback has written: from now on callbacks write by mail as well. */
    private boolean mailed;

    OrderedOutput(HttpConnection http) {
        this.http = http;
    }

    /** A new answer. */
    void begin() {
        mailed = false;
    }

    /** In a callback behind all mail: callbacks may write at once again. */
    void mailDelivered() {
        mailed = false;
    }

    boolean isInCallback() {
        return http.connection().isInCallback();
    }

    /** Returns true if all that was written has been given to the connection, and the caller is in a callback. */
    boolean isDirect() {
        return !mailed && isInCallback();
    }

    /**
     * Writes behind everything that was written before.
     *
     * @param body null: none
     */
    void write(ByteBuffer first, ByteBuffer body) {
        Connection connection = http.connection();
        boolean inCallback = connection.isInCallback();
        if (inCallback && mailed) {
            mail(first, body);
            return;
        }
        mailed |= !inCallback;
        if (body == null) {
            connection.write(first);
        } else {
            connection.write(first, body);
        }
    }

    private void mail(ByteBuffer first, ByteBuffer body) {
        Connection connection = http.connection();
        int count = first.remaining() + (body == null ? 0 : body.remaining());
        connection.requireRoom(count);
        ByteBuffer copy = ByteBuffer.allocate(count).put(first);
        if (body != null) {
            copy.put(body);
        }
        connection.execute(() -> connection.write(copy.flip()));
    }

    void sendFile(ReactorFile file, long position, long count) throws IOException {
        boolean inCallback = isInCallback();
        if (inCallback && mailed) {
            throw new IllegalStateException("a file is sent by the thread that has written the head");
        }
        mailed |= !inCallback;
        http.connection().sendFile(file, position, count);
    }
}
