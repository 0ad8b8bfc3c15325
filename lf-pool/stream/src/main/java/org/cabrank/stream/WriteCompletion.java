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
     * Called once, as a callback of the connection. An exception is treated as what a handler throws. After a failure, this call comes
     * before {@link ConnectionHandler#closed}; an exception is logged then.
     *
     * @param failure null: the kernel has taken the bytes for the peer. Else the reason why it has not, or may not have: the cause that
     *     {@link ConnectionHandler#closed} is given, if there is one, or an {@link java.io.IOException} that tells of an abort, or of bytes
     *     dropped because they were written after {@link Connection#close} or {@link Connection#shutdownOutput}
     */
    void completed(Connection connection, Throwable failure) throws Exception;

    /**
     * Calls {@link Connection#whenWritten} and returns a future of the completion, which the thread that runs the callbacks of the
     * connection completes with null: dependent actions are part of a callback. It fails with the failure of {@link #completed}, or at once
     * with the {@link RejectedExecutionException} of {@link Connection#whenWritten}. Cancelling it has no effect. A callback of this
     * connection must not wait for the future, because it would wait for itself.
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
