package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;

/**
 * A request under way, with its response. After the response is complete or has failed, methods have no effect, and written bytes are
 * dropped. Bytes are also dropped after the server refuses them, by a response with a status from 400 and {@code Connection: close}.
 */
public interface HttpTransfer {
    // ---- the body of the request, after HttpUpload.begin: any thread, one at a time ----

    /**
     * Writes and consumes a piece of the body. Stop when {@link #isWritable} is false. While more bytes than the {@linkplain
     * org.cabrank.stream.StreamLimits#highWatermark high watermark} wait for the server, no response is received. Pieces of up to half the
     * watermark (128 KiB by default) keep early responses possible.
     *
     * @throws org.cabrank.stream.WriteQueueFullException as {@link Connection#write(ByteBuffer)}; nothing was consumed
     * @throws IllegalStateException if the body would exceed its announced length, or has ended
     */
    void write(ByteBuffer data);

    /** Returns true if less than a quarter of the high watermark waits for the server. */
    boolean isWritable();

    /**
     * Has {@code task} called once in a callback of the connection to the server as soon as {@link #isWritable} is true: at the earliest
     * behind the present callback. Not called if the server does not want the rest of the body. One task at a time.
     */
    void whenWritable(Runnable task);

    /**
     * Ends the body. The connection serves another request only if all of this request was sent when its response is complete.
     *
     * @throws IllegalStateException if the body is shorter than announced; the connection is reset, because the server waits for the rest
     */
    void end();

    // ---- the response ----

    /** Stops the bytes of the response until {@link #resume}: the server waits, the time-out runs on. In a callback of the response. */
    void pause();

    /** Lets bytes of the response follow. Any thread. */
    void resume();

    /** Drops the rest of the response: resets the connection, and calls the handler's {@code failed}. Any thread. */
    void abort();
}
