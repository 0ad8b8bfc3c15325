package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;

/**
 * A request and its response under way. No method has an effect when the response is complete or has failed; bytes that are written then
 * are dropped. So are those that a server has refused by a response with a status from 400 and {@code Connection: close}.
 */
public interface HttpTransfer {
    // ---- the body of the request, after HttpUpload.begin: any thread, one at a time ----

    /**
     * Writes a piece of the body, and has consumed it when it returns. Stop when {@link #isWritable} is false. The response is not received
     * while more than the {@linkplain org.cabrank.stream.StreamLimits#highWatermark high watermark} waits for the server: a piece of up to
     * half of that (128 KiB by default) keeps early responses possible.
     *
     * @throws org.cabrank.stream.WriteQueueFullException as {@link Connection#write(ByteBuffer)}; nothing was consumed
     * @throws IllegalStateException if the body would be longer than it was said to be, or has ended
     */
    void write(ByteBuffer data);

    /** Returns true if less than a quarter of the high watermark waits for the server. */
    boolean isWritable();

    /**
     * Has {@code task} called as a callback of the connection to the server as soon as {@link #isWritable}; at once, behind the present
     * callback, if it is. Not called if the rest of the body is not wanted any more. One task at a time.
     */
    void whenWritable(Runnable task);

    /**
     * The body is complete. Only a connection whose request has been sent as a whole when its response is complete serves another request.
     *
     * @throws IllegalStateException if the body is shorter than it was said to be: the connection is reset, because the server waits for
     *     the rest
     */
    void end();

    // ---- the response ----

    /** In a callback of the response: no further bytes until {@link #resume}. The server's writes wait then; the time-out goes on. */
    void pause();

    /** Any thread. */
    void resume();

    /** Any thread: the rest is not wanted; the connection is reset, and the handler's {@code failed} is called. */
    void abort();
}
