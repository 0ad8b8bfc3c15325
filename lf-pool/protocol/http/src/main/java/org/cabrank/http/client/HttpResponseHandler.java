package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpFields;

/**
 * Receiver of one response as it comes. Calls are callbacks of the connection to the server, but for {@link #failed}, which any thread may
 * call. What a call throws ends the connection, and {@code failed} is called with it, unless the response is complete.
 */
public interface HttpResponseHandler {
    /** @param fields valid only during the call */
    void head(HttpTransfer transfer, int status, HttpFields fields) throws Exception;

    /** A piece of the body, valid only during the call. All of it counts as read. */
    void data(HttpTransfer transfer, ByteBuffer bytes) throws Exception;

    /** The response is complete. @param trailers valid only during the call */
    void end(HttpTransfer transfer, HttpFields trailers) throws Exception;

    /** There is no response, or no further part of it. */
    void failed(Throwable cause);
}
