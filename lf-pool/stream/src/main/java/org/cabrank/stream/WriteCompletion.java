package org.cabrank.stream;

/** Called when the socket has taken what was written ({@link Connection#whenWritten}). */
@FunctionalInterface
public interface WriteCompletion {
    /**
     * Named bound: completions of one connection that wait. A further one is refused with a
     * {@link java.util.concurrent.RejectedExecutionException}.
     */
    int PENDING_MAX = 65_536;

    /**
     * Called once, as a callback of the connection. An exception is treated as what a handler throws. After a failure, this call comes
     * before {@link ConnectionHandler#closed}; an exception is logged then.
     *
     * @param connection the connection on which {@link Connection#whenWritten} was called
     * @param failure null: the kernel has taken the bytes for the peer. Else the reason why it has not, or may not have: the cause that
     *     {@link ConnectionHandler#closed} is given, if there is one, or an {@link java.io.IOException} that tells of an abort, or
     *     of bytes that were dropped because they were written after {@link Connection#close} or {@link Connection#shutdownOutput}
     */
    void completed(Connection connection, Throwable failure) throws Exception;
}
