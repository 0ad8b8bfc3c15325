package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file that callbacks of connections read, write and sync without making a pool thread wait, opened by {@link StreamReactor#openFile}.
 * Any number of connections may use one file, several at the same time. {@link Connection#sendFile} sends ranges of it, without an offload.
 *
 * <p>Each request is work that a callback has {@linkplain Connection#offload offloaded}: nothing else is called for the connection until
 * {@code continuation} is called with the result, input that comes before is delivered after that, and a drain waits for the request. Over
 * io_uring the kernel carries out the request, in a thread of its own only if the request would block. Over epoll an executor of the user
 * does so ({@link StreamReactor.Builder#fileExecutor}), or one of {@value #THREADS} daemon threads, which the reactor starts when the first
 * file is opened and ends with itself. No queue can be full: each connection has one request at a time.
 *
 * <p>Outcomes:
 *
 * <ul>
 *   <li>An error (ENOSPC, EIO, EBADF and others) is an {@link IOException} that names the file, and is given to {@link
 *       ConnectionContinuation#failed}, which closes the connection unless the handler overrides it. A request that was interrupted (EINTR)
 *       or that the kernel put off (EAGAIN) is repeated.
 *   <li>A read may return fewer bytes than fit, for instance at the end of the file, and is not repeated. A write that the kernel carries
 *       out in part is continued until all bytes are written or an error comes; after an error the position of the buffer shows how many
 *       were written.
 *   <li>A connection that ends while its request is under way is closed at once. The request is carried out to its end; its result is
 *       dropped and counted ({@link org.cabrank.lf.observe.PoolCounters}). The kernel may use the buffer until then: leave it to the
 *       garbage collector, and use it for nothing else.
 *   <li>{@link StreamReactor#close} cancels requests that outlast the drain where the kernel can do that, and waits for them for 500 ms at
 *       most. Over io_uring, the buffers of requests that have not ended by then are kept as long as the process runs; over epoll the
 *       thread that carries the request out keeps its buffer.
 * </ul>
 *
 * <p>Buffers are direct, because the kernel reads and writes them while the garbage collector may move heap buffers. From the call to the
 * continuation a buffer belongs to the request; the position of the buffer has then advanced by the bytes that were transferred.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface ReactorFile extends AutoCloseable {
    /** Threads of a reactor that carry out requests where the kernel cannot do so without a thread, unless the user gives an executor. */
    int THREADS = 8;

    /**
     * Called in a callback of {@code connection}: reads into the remaining space of {@code into}. The result is the number of bytes, or -1
     * at the end of the file.
     *
     * @param into direct and writable
     * @param position in the file, from 0, in bytes
     * @throws java.nio.channels.ClosedChannelException when this file is closed
     * @throws IllegalArgumentException for an unfit buffer or position, or for a connection of another kind of reactor
     * @throws IllegalStateException outside of a callback, when offloaded work is under way, or when the connection is being closed
     * @throws java.util.concurrent.RejectedExecutionException by the user's executor, or because the reactor is being closed
     */
    void read(
            Connection connection, ByteBuffer into, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException;

    /**
     * Called in a callback of {@code connection}: writes the remaining bytes of {@code data}, which is direct. The result is their number.
     * The position, in bytes from 0, has no effect on a file that was opened with APPEND: its writes go to the end. Throws like read.
     */
    void write(
            Connection connection, ByteBuffer data, long position, ConnectionContinuation<? super Integer> continuation)
            throws IOException;

    /**
     * Called in a callback of {@code connection}: puts all that was written to the file on its storage, by fsync(2), or with {@code
     * dataOnly} by fdatasync(2), which leaves out what is not needed to read the data again, such as times. The result is null. After a
     * failure the kernel may have dropped what it could not write, and a second sync may succeed nevertheless: write again what is not
     * known to be stored. Throws as {@link #read}.
     */
    void sync(Connection connection, boolean dataOnly, ConnectionContinuation<? super Void> continuation)
            throws IOException;

    Path path();

    /**
     * Closes the descriptor when requests under way have ended and all ranges were sent. No request begins any more. Any thread.
     * Idempotent.
     */
    @Override
    void close() throws IOException;
}
