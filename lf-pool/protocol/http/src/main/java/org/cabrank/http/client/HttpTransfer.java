package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;

/**
 * A request and its response under way. When the response is complete or has failed, methods have no effect, and bytes that are written are
 * dropped. So are bytes that a server has refused by a response with a status from 400 and {@code Connection: close}.
 */
public interface HttpTransfer {
    // ---- the body of the request, after HttpUpload.begin: any thread, one at a time ----

    /**
     * Writes and consumes a piece of the body. Stop when {@link #isWritable} is false. The response is not received while more than the
     * {@linkplain org.cabrank.stream.StreamLimits#highWatermark high watermark} waits for the server: a piece of up to half of that (128
     * KiB by default) keeps early responses possible.
     *
     * @throws org.cabrank.stream.WriteQueueFullException as {@link Connection#write(ByteBuffer)}; nothing was consumed
     * @throws IllegalStateException if the body would exceed its announced length, or has ended
     */
    void write(ByteBuffer data);

    /** Returns true if less than a quarter of the high watermark waits for the server. */
    boolean isWritable();

    /**
     * Has {@code task} called as a callback of the connection to the server as soon as {@link #isWritable}: if it is, behind the present
     * callback. Not called if the rest of the body is not wanted. One task at a time.
     */
    void whenWritable(Runnable task);

    /**
     * The body is complete. A connection serves another request only if its request was sent as a whole when the response is complete.
     *
     * @throws IllegalStateException if the body is shorter than announced; the connection is reset, because the server waits for the rest
     */
    void end();

    // ---- the response ----

    /** In a callback of the response: no further bytes until {@link #resume}. The server's writes wait then; the time-out goes on. */
    void pause();

    /** Any thread. */
    void resume();

    /** Any thread. The rest is not wanted: resets the connection, and calls the handler's {@code failed}. */
    void abort();
}
