package org.cabrank.http.client;

/** Source of the body of one request ({@link HttpCall#withBody(long, HttpUpload)}), with an example in the package documentation. */
@FunctionalInterface
public interface HttpUpload {
    /**
     * The server accepts the body: this callback of the connection, or any thread, gives the bytes to {@link HttpTransfer#write} from now
     * on. An exception of this call ends the connection, and the request fails.
     */
    void begin(HttpTransfer transfer) throws Exception;
}
