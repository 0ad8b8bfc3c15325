package org.cabrank.http.client;

/** A response under way, for its handler. No method has an effect when the response is complete or has failed. */
public interface HttpTransfer {
    /** In a callback: no further bytes until {@link #resume}. The server's writes wait then; the time-out goes on. */
    void pause();

    /** Any thread. */
    void resume();

    /** Any thread: the rest is not wanted; the connection is reset, and the handler's {@code failed} is called. */
    void abort();
}
