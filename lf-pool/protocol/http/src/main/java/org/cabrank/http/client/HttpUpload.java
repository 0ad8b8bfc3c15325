package org.cabrank.http.client;

/**
 * Source of the body of one request ({@link HttpCall#withBody(long, HttpUpload)}). The package documentation has an example.
 */
@FunctionalInterface
public interface HttpUpload {
    /**
     * The server may be sent the body: its bytes are given to {@link HttpTransfer#write} from now on, by this callback of the connection or
     * by any thread. What the call throws ends the connection, and the request fails.
     */
    void begin(HttpTransfer transfer) throws Exception;
}
