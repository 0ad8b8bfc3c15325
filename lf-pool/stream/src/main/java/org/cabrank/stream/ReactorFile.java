package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that {@link StreamReactor#openFile} has opened. Callbacks of connections read, write and sync it, and no pool thread waits for the
 * file. Any number of connections may use one file at the same time. {@link Connection#sendFile} sends ranges of it.
 *
 * <p>Each request is work that a callback has {@linkplain Connection#offload offloaded}. No other callback of the connection is called
 * until {@code continuation} is called with the result, so a connection has at most one request at a time. With io_uring the kernel carries
 * out the request. With epoll an {@linkplain StreamReactor.Builder#fileExecutor executor} of the user or one of {@value #THREADS} daemon
 * threads does so. The reactor starts these threads when the first file is opened.
 *
 * <ul>
 *   <li>After an error (ENOSPC, EIO, EBADF and others) an {@link IOException} that names the file is given to {@link
 *       ConnectionContinuation#failed}, which closes the connection by default. After EINTR or EAGAIN the request is repeated.
 *   <li>A read may return fewer bytes than fit, for example at the end of the file. A write is continued until all bytes are written or an
 *       error occurs. After an error the position of the buffer shows the number of bytes that were written.
 *   <li>If a connection ends first, it is closed at once. The result of the request is dropped and counted ({@link
 *       org.cabrank.lf.observe.PoolCounters}). The kernel may still use the buffer, so leave it to the garbage collector.
 *   <li>If a request takes longer than the drain, {@link StreamReactor#close} cancels it, if the kernel can do that, and waits for at most
 *       500 ms. If the request has not ended then, its buffer stays allocated: with io_uring until the process ends, and with epoll until
 *       the thread ends the request.
 * </ul>
 *
 * <p>Buffers are direct, and belong to the request until the continuation. Their position has then advanced by the bytes transferred.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ReactorFile extends AutoCloseable {
    /** Number of threads of a reactor that carry out file requests with epoll, unless the user sets an executor. */
    int THREADS = 8;

    /**
     * Reads into {@code into}, in a callback of {@code connection}. The result is the number of bytes read, or -1 at the end of the file.
     *
     * @param into direct and writable
     * @param position in the file, from 0, in bytes
     * @throws java.nio.channels.ClosedChannelException when this file is closed
     * @throws IllegalArgumentException for an unfit buffer or position, or for a connection of another kind of reactor
     * @throws IllegalStateException outside of a callback, when offloaded work is under way, or when the connection is being closed
     * @throws java.util.concurrent.RejectedExecutionException if the user's executor throws it, or if the reactor is being closed
     */
    void read(
            Connection connection, ByteBuffer into, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException;

    /**
     * Writes the remaining bytes of the direct buffer {@code data} at {@code position}, or at the end if the file was opened with APPEND.
     * The result is the number of these bytes. Otherwise as {@link #read}.
     */
    void write(
            Connection connection, ByteBuffer data, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException;

    /**
     * Stores all written bytes of the file, by fsync(2). With {@code dataOnly} uses fdatasync(2), which leaves out metadata such as times.
     * The result is null. After a failure write the bytes again, because the kernel may have dropped them, and a second sync may succeed
     * without them. Otherwise as {@link #read}.
     */
    void sync(Connection connection, boolean dataOnly, ConnectionContinuation<? super Void> continuation)
            throws IOException;

    Path path();

    /** Closes the descriptor when all requests and ranges have ended. No request begins after this call. Idempotent, for any thread. */
    @Override
    void close() throws IOException;
}
