package org.cabrank.http.client;

/** Source of the body of one request ({@link HttpCall#withBody(long, HttpUpload)}), with an example in the package documentation. */
@FunctionalInterface
public interface HttpUpload {
    /**
     * Called in a callback of the connection when the body may be sent. From now on this callback, or any thread, passes the bytes to
     * {@link HttpTransfer#write}. An exception of this call ends the connection and fails the request.
     */
    void begin(HttpTransfer transfer) throws Exception;
}
