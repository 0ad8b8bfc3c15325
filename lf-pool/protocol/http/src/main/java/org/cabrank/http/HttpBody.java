package org.cabrank.http;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpFields;

/**
 * Receiver of the body of one request ({@link HttpExchange#body}). Calls are callbacks of the connection. When the answer is complete, the
 * rest of the body is dropped, and no call follows.
 */
public interface HttpBody {
    /** A piece of the body has arrived. <b>The buffer is valid only during the call.</b> After the call, all its bytes count as read. */
    void data(HttpExchange exchange, ByteBuffer bytes) throws Exception;

    /** The body is complete. The trailer fields of a chunked body are valid only during the call. */
    void end(HttpExchange exchange, HttpFields trailers) throws Exception;

    /**
     * The rest of the body will not arrive, because the client is gone, or because the body breaks the framing, exceeds a limit or takes
     * too long. After this call, the service answers with the status of the error, unless an answer has begun.
     */
    default void failed(HttpExchange exchange, Throwable cause) {}
}
