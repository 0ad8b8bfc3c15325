package org.cabrank.http.client;

/** Source of the body of one request ({@link HttpCall#withBody(long, HttpUpload)}). The package documentation has an example. */
@FunctionalInterface
public interface HttpUpload {
    /** Called in a callback when the body may be written. Any thread may write it, now or later. If this call throws, the request fails. */
    void begin(HttpTransfer transfer) throws Exception;
}
