package org.cabrank.http.client;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpFields;

/**
 * Receiver of one response in pieces. The calls are callbacks of the connection to the server, except that any thread may call {@link
 * #failed}. If a call throws an exception, the connection ends. If the response is not complete, {@code failed} gets this exception.
 */
public interface HttpResponseHandler {
    /** @param fields valid only during the call */
    void head(HttpTransfer transfer, int status, HttpFields fields) throws Exception;

    /** Receives a piece. All its bytes count as read. <b>The buffer is valid only during the call.</b> */
    void data(HttpTransfer transfer, ByteBuffer bytes) throws Exception;

    /** @param trailers valid only during the call */
    void end(HttpTransfer transfer, HttpFields trailers) throws Exception;

    /** Called if no response arrives, or if the rest of the response does not arrive. */
    void failed(Throwable cause);
}
