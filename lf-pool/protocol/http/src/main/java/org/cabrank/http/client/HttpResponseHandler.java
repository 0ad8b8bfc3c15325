package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpFields;

/**
 * Receiver of one response in pieces. Calls are callbacks of the connection to the server; only {@link #failed} may come from any thread.
 * An exception of a call ends the connection, and is passed to {@code failed} unless the response is complete.
 */
public interface HttpResponseHandler {
    /** @param fields valid only during the call */
    void head(HttpTransfer transfer, int status, HttpFields fields) throws Exception;

    /** Receives a piece, all of which counts as read. <b>The buffer is valid only during the call.</b> */
    void data(HttpTransfer transfer, ByteBuffer bytes) throws Exception;

    /** @param trailers valid only during the call */
    void end(HttpTransfer transfer, HttpFields trailers) throws Exception;

    /** Called if there is no response, or no further part of it. */
    void failed(Throwable cause);
}
