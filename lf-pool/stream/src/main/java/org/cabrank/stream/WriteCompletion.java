package org.cabrank.stream;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Called when the socket has taken what was written ({@link Connection#whenWritten}). */
@FunctionalInterface
public interface WriteCompletion {
    /** Maximum number of waiting completions of a connection. A further one is refused with a {@link RejectedExecutionException}. */
    int PENDING_MAX = 65_536;

    /**
     * Called once, as a callback of the connection. An exception is treated like one of the handler. After a failure this method is called
     * before {@link ConnectionHandler#closed}, and its exception is only logged.
     *
     * @param failure null if the kernel has taken the bytes. After an abort, or if bytes were dropped after a close or the end of the
     *     output, an {@link java.io.IOException}. In all other cases the cause that {@link ConnectionHandler#closed} gets
     */
    void completed(Connection connection, Throwable failure) throws Exception;

    /**
     * Calls {@link Connection#whenWritten} and returns a future of the completion, which fails with the failure of {@link #completed}.
     * Dependent actions run in a callback of the connection. If {@link Connection#whenWritten} throws, the future fails at once. Cancelling
     * has no effect. A callback of this connection must not wait for the future.
     */
    static CompletableFuture<Void> future(Connection connection) {
        Objects.requireNonNull(connection, "connection");
        CompletableFuture<Void> written = new CompletableFuture<>();
        try {
            connection.whenWritten((completed, failure) -> {
                if (failure == null) {
                    written.complete(null);
                } else {
                    written.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException refused) {
            written.completeExceptionally(refused);
        }
        return written;
    }
}
