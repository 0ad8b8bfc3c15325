package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;

/**
 * A request under way, with its response. After the response is complete or has failed, methods have no effect, and written bytes are
 * dropped. Bytes are also dropped after a response that refuses the body, by a status of at least 400 and {@code Connection: close}.
 */
public interface HttpTransfer {
    // ---- The body of the request. Any thread may call these methods after HttpUpload.begin, one thread at a time.
    // ----

    /**
     * Writes and consumes a piece of the body. Stop when {@link #isWritable} is false. While more bytes than the {@linkplain
     * org.cabrank.stream.StreamLimits#highWatermark high watermark} wait for the server, no response is received. If pieces are not longer
     * than half the watermark (128 KiB by default), an early response can still arrive.
     *
     * @throws org.cabrank.stream.WriteQueueFullException if {@link Connection#write(ByteBuffer)} throws it; nothing was consumed
     * @throws IllegalStateException if the body would exceed its announced length, or has ended
     */
    void write(ByteBuffer data);

    /** Returns true if less than a quarter of the high watermark waits for the server. */
    boolean isWritable();

    /**
     * Runs {@code task} once, in a callback of the connection to the server, as soon as {@link #isWritable} is true. The task never runs in
     * the present callback. It does not run if the server refuses the rest of the body. Only one task may wait.
     */
    void whenWritable(Runnable task);

    /**
     * Ends the body. If the response is complete before all of the request was sent, the connection serves no further request.
     *
     * @throws IllegalStateException if the body is shorter than announced; the connection is then reset
     */
    void end();

    // ---- the response ----

    /** Pauses the response until {@link #resume}. The time-out continues. Call it only in a callback of the response. */
    void pause();

    /** Continues a paused response. Any thread may call this method. */
    void resume();

    /** Resets the connection, drops the response, and calls {@link HttpResponseHandler#failed}. Any thread may call this method. */
    void abort();
}
