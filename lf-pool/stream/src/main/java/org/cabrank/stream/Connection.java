package org.cabrank.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.cabrank.lf.Reply;
import org.cabrank.lf.handle.CancellableWork;

/**
 * A stream connection of one shard. It stays in that shard unless it is {@linkplain #moveTo moved}.
 *
 * <p>Any thread may call any method. Calls act in the order in which they were made, whichever threads made them.
 *
 * <ul>
 *   <li>Calls from outside a callback are handed to the connection's shard. They act when no callback runs, or inside the next call that a
 *       callback makes. A call that has returned acts before input that the peer sends afterwards, unless a task waits in front of it.
 *   <li>In a callback calls act at once, with one exception. Output and its end ({@link #write}, {@link #sendFile}, {@link #whenWritten},
 *       {@link #shutdownOutput}, {@link #close}) wait behind a {@linkplain #execute task} that another callback or thread has handed over,
 *       because no task runs inside a call. When the callback ends, the task runs, and then these calls act, before any other callback.
 *   <li>A task runs before any call acts that was made after the task was handed over. The continuation of work that a task has offloaded
 *       also runs before these calls act.
 *   <li>A scheduled task has no place in this order. {@link #abort} overtakes all calls.
 * </ul>
 *
 * <p>While {@link StreamLimits#mailboxMax} tasks and writes wait, the mailbox keeps only the latest call of each kind that changes the
 * connection (reading, output, close, deadline, move). The latest call acts in the place of the first waiting call of that kind.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface Connection {

    /** A number that no other connection of this process has had. */
    long id();

    /** Number of the shard that serves the connection, from 0; in a callback, the shard whose thread runs the callback. */
    int shard();

    /**
     * Moves the connection to another shard as soon as it is idle: no callback runs or waits for a reply, no offloaded work is under way,
     * and the socket has taken all written bytes. No input, output or call is lost, doubled or overtaken, and time-outs continue. Only the
     * thread changes: the handler must guard state that it shares with other handlers of the old shard.
     *
     * <p>The move may wait long if the peer does not read or, with io_uring, while reading is paused. Other calls do not wait for it.
     *
     * @return a future that a pool thread completes. If the mailbox is full, the thread of a later request may complete it. The result is
     *     true if the connection is in that shard. It is false if the connection has ended or is about to end, if the reactor is being
     *     closed, or if a later request has replaced this one. If the other shard cannot serve the connection, the future fails with an
     *     {@link IOException}, and the connection continues in its shard
     * @throws IllegalArgumentException when there is no such shard
     */
    CompletableFuture<Boolean> moveTo(int shard);

    /**
     * The peer's address; never null. The first call may ask the kernel. After a reset or a close the kernel no longer knows the peer, and
     * the call returns the wildcard address with port 0, or a Unix address without a name. After the first call for a connection of a
     * listener, the reactor keeps the addresses of the connections that the listener accepts.
     */
    SocketAddress remoteAddress();

    /** This side's address; never null. A closed connection may return the wildcard address of its listener. */
    SocketAddress localAddress();

    /**
     * Sets an option of the socket at once. The option then also applies to written bytes that are not yet {@linkplain #flush flushed}.
     *
     * @throws IOException if the kernel refuses the option, with errno and a remedy in the message, or if the connection is closed
     * @throws IllegalArgumentException for a value out of range, or an option that does not apply to an open connection or a Unix socket
     */
    <T> void option(SocketOption<T> option, T value) throws IOException;

    /** Returns the value that the kernel has, which may differ from the value set. Throws after the close, or if the kernel refuses. */
    <T> T option(SocketOption<T> option) throws IOException;

    /**
     * Asks the kernel for the state of the TCP connection. Bytes that are {@linkplain #queuedBytes queued} here are not in it. Throws
     * UnsupportedOperationException if this is no TCP connection, and IOException if the kernel refuses or the connection is closed.
     */
    TcpInfo tcpInfo() throws IOException;

    /** Returns the calls that only a Unix socket has; on a TCP connection each throws {@link UnsupportedOperationException}. */
    UnixSocket unixSocket();

    /**
     * Sends the remaining bytes of {@code data}. When the method returns, the bytes are consumed. Small writes of a callback are gathered;
     * they are sent when the callback ends or on {@link #flush}. Bytes that the socket does not take are queued. After {@link #close} or
     * {@link #shutdownOutput}, and after the connection has ended, the bytes are dropped without an exception.
     *
     * @throws WriteQueueFullException if the queue has no room for all bytes of {@code data} (see {@link StreamLimits#queueLimit}).
     *     Nothing of {@code data} is then consumed. If {@link WriteQueueFullException#mayRetry} is true, {@link ConnectionHandler#writable}
     *     is called as soon as the queue has room for {@code data}; other writes may take that room first. If it is false, {@code data}
     *     alone exceeds the limit: write it in pieces, each after a call of {@code writable}
     */
    void write(ByteBuffer data);

    /** As {@link #write(ByteBuffer)} of both pieces, without other bytes between them. A refused write consumes neither piece. */
    void write(ByteBuffer head, ByteBuffer body);

    /**
     * Sends a range of a file, in order with the written bytes. The caller may close the file as soon as this call has returned; the
     * descriptor stays open until the range is sent.
     *
     * <ul>
     *   <li>The kernel sends the file without a copy, by sendfile(2). A file that it cannot send (EINVAL), such as a file of /proc, is read
     *       in pieces of up to 128 KiB. With io_uring, sendfile(2) sends only cached bytes, from 8 KiB on; the ring reads other bytes in
     *       pieces. With TLS the thread that sends reads the pieces. A connection has at most one piece in memory.
     *   <li><b>A read of the disk blocks the thread that sends</b>: the caller, or later the thread that finds room in the socket. With
     *       io_uring it blocks only if the kernel frees its cache of the range. If a shard has several threads, a follower takes over. If
     *       it has one thread, or if the file is rarely cached, {@linkplain #promoteNewLeader promote a new leader} first, or {@linkplain
     *       #offload offload} a read of the range.
     *   <li>The bytes count in {@link #queuedBytes}, and so for {@link #isWritable} and the watermarks: reading pauses while a large range
     *       is sent, and {@link ConnectionHandler#writable} is called afterwards. The bytes do not count for {@link
     *       StreamLimits#queueLimit}. At most 1,024 ranges of a connection can wait.
     *   <li>If the file is shorter than the range, or if the disk fails, the connection is closed with an {@link IOException}. If bytes of
     *       the file change in the meantime, the peer gets the old or the new bytes.
     *   <li>{@link #close} sends the range first, within {@link StreamTimeouts#closeTotal}. If the range may take longer, call close in a
     *       completion of {@link #whenWritten}. After close or {@link #shutdownOutput}, a further range is dropped, like a write.
     *   <li>During offloaded work no further bytes of waiting ranges are sent.
     * </ul>
     *
     * @param file a file that {@link StreamReactor#openFile} of any reactor has opened for reading
     * @param position of the first byte in the file, from 0
     * @param count number of bytes, from 0
     * @throws WriteQueueFullException if 1,024 ranges wait, or if the mailbox is full in a call outside a callback. {@link
     *     ConnectionHandler#writable} is called when there is room
     * @throws java.nio.channels.ClosedChannelException if the file is closed
     * @throws IllegalArgumentException for a negative position or count
     */
    void sendFile(ReactorFile file, long position, long count) throws IOException;

    /** Sends the bytes that {@link #write} has gathered, unless a task of another thread waits before them. Call it before slow work. */
    void flush();

    /**
     * Calls {@code completion} when the socket has taken every byte that was written before this call. The kernel may still have to send
     * them. The bytes of a {@link #write} in another thread count if that write has returned. In a callback this method allocates nothing.
     *
     * <ul>
     *   <li>The completion is a callback of the connection, so it never runs during another callback or inside of this call. Completions
     *       are called in order. If the socket has already taken all bytes, the completion is called right after the present callback.
     *       {@link ConnectionHandler#writable} is called after the completions of the same bytes.
     *   <li>If the connection ends first, the completion fails, although the bytes may have reached the peer. It is then called before
     *       {@link ConnectionHandler#closed} and is not a callback: {@link #isInCallback} is false, and bytes that it writes are dropped.
     *       If a callback writes bytes and then aborts, the backend decides whether the bytes were taken. After a failed send, the bytes
     *       that the peer had sent are delivered before completions fail.
     *   <li>{@link #close} and {@link #shutdownOutput} send the bytes that were written before, and completions are called. A completion
     *       can also be passed afterwards. If bytes were dropped before it was passed, it fails with an {@link IOException}.
     *   <li>During offloaded work the completion waits. During a nested wait ({@link #newReply}) it is called. A move to another shard
     *       ({@link #moveTo}) waits for it. A drain neither waits for completions nor drops them.
     * </ul>
     *
     * @throws java.util.concurrent.RejectedExecutionException if the connection has ended, if {@link WriteCompletion#PENDING_MAX}
     *     completions wait, or if the mailbox is full in a call outside a callback. The completion is then not called
     */
    void whenWritten(WriteCompletion completion);

    /** Number of written bytes and bytes of files that the socket has not taken yet. */
    long queuedBytes();

    /**
     * Returns true if {@link #queuedBytes} is at most {@link StreamLimits#highWatermark}. After a result of false, {@link
     * ConnectionHandler#writable} is called when the queue has fallen to the low watermark, unless the connection is closing or closed.
     */
    boolean isWritable();

    /**
     * Delivers no {@link ConnectionHandler#data} until {@link #resumeReading}. Pauses are not counted: one resume ends them all.
     *
     * <p>If the peer resets a paused connection and nothing is queued, the connection ends at once, and bytes that the kernel had received
     * are lost. If bytes are queued, sending them fails, and the received bytes wait for {@link #resumeReading} (see {@link
     * ConnectionHandler}).
     *
     * <p>A {@linkplain StreamReactor#close drain} closes a paused connection as {@link #close} does: written bytes are sent, unread bytes
     * are dropped. A drain does not wait for work of a paused connection unless the work is {@linkplain #offload offloaded}.
     */
    void pauseReading();

    /** Ends a pause. After the present callback unread bytes are given to {@link ConnectionHandler#data} again, even without new bytes. */
    void resumeReading();

    /** Returns true in a callback of this connection. Returns false in a callback that has waited for a {@linkplain #newReply reply}. */
    boolean isInCallback();

    /** Returns true if the reactor is draining and therefore waits for the end of this connection. Call it in a callback. */
    boolean isDraining();

    /**
     * Returns true in a callback of this connection, if reading is not paused, no work is offloaded and the connection is not being closed.
     * {@link ConnectionHandler#data} may then be called next. A handler that finds several messages in one buffer asks after each message.
     */
    boolean isReceiving();

    /** The limits of the connection's reactor. */
    StreamLimits limits();

    /** Sends the queued bytes and then a FIN. Reading continues. */
    void shutdownOutput();

    /**
     * Sends the queued bytes and then a FIN, waits for the peer's FIN, and closes. Bytes that the peer still sends are dropped. From now on
     * only {@link ConnectionHandler#closed} and tasks are called, and a {@link #deadline} no longer counts. If the peer makes no progress
     * for {@link StreamTimeouts#close}, or the close takes {@link StreamTimeouts#closeTotal}, the connection is reset.
     */
    void close();

    /** Closes at once, even during offloaded work and before all other calls. Queued bytes are lost, and a TCP peer sees a reset. */
    void abort();

    /**
     * Sets a deadline that traffic does not renew, for example the time for a complete request. After {@code limit} the connection calls
     * {@link ConnectionHandler#deadlinePassed}. It is then closed with a {@link DeadlineException}, unless the deadline is replaced or
     * removed, or {@link #close} is called, before that callback ends.
     *
     * <p>The deadline also passes while reading is paused, while a callback waits for a reply and during offloaded work. Bytes that were
     * received before the deadline go to the handler first. To replace a deadline by a later one is cheap.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER} removes the deadline
     */
    void deadline(Duration limit);

    /**
     * Runs {@code task} as a callback of this connection, in order with other calls. An exception of the task is treated like one of the
     * handler. An accepted task runs even if the connection ends first. It is then not a callback ({@link #isInCallback} is false), and its
     * exception is logged.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the connection is gone, or {@link StreamLimits#mailboxMax} is reached
     */
    void execute(Runnable task);

    /**
     * Runs {@code task} once, after {@code delay}, as a callback of this connection. The task runs late if callbacks, calls or offloaded
     * work are under way. It does not run after the end of the connection, {@link #close} or {@link #abort}. A drain does not wait for it.
     *
     * @param delay if it is 0 or negative, the task runs as soon as the connection is free
     * @throws java.util.concurrent.RejectedExecutionException if the connection is gone, or the shard has {@link
     *     org.cabrank.lf.Timers#TIMERS_MAX} timers of connections
     */
    ScheduledTask schedule(Duration delay, Runnable task);

    /**
     * As {@link #schedule}, but at a fixed rate. The task runs after {@code first}, and then once in each {@code period} (at least 1 ns).
     * If several periods pass while the connection is not free, the task runs only once for them. An exception closes the connection.
     *
     * @throws IllegalArgumentException if the period is shorter than 1 ns
     */
    ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task);

    /**
     * Sends the output of earlier callbacks, and promotes a follower, which watches the handles from now on. Call it in a callback of this
     * connection, before something slow. Without followers it only sends output. After the end of the connection it does nothing.
     *
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    void promoteNewLeader();

    /**
     * Returns a new reply ({@link Reply}). A thread that waits for the reply serves this connection's shard during the wait. A thread
     * outside the pools or a callback of any connection of the shard may wait. While a callback waits, its connection is free for other
     * callbacks:
     *
     * <ul>
     *   <li>Bytes that the callback has written are sent before the wait. Unread bytes are given to {@link ConnectionHandler#data} again at
     *       once, so read the whole request before the wait: afterwards the buffer is empty. Answers to later requests may be sent first,
     *       unless reading is {@linkplain #pauseReading paused}.
     *   <li>Other callbacks run, {@link ConnectionHandler#closed} included. {@link ConnectionHandler#inputClosed} and a graceful end of the
     *       reactor are delayed until no callback waits. An idle time-out is not delayed.
     *   <li>After the wait the callback calls the connection like any other thread.
     * </ul>
     */
    <T> Reply<T> newReply();

    /**
     * Hands slow work to {@code executor} (see {@link org.cabrank.lf.OffloadExecutors}), and calls {@code continuation} in a callback when
     * the work is done. Call this method in a callback of this connection.
     *
     * <p>Until the work is done, no other callback of this connection is called. Received bytes, the peer's end, tasks, completions, the
     * idle time-out, a drain, {@link #close} and {@link #shutdownOutput} wait. {@link #abort}, a reset by the peer and a {@link #deadline}
     * act at once. A failed send waits for the work if there may be received bytes to deliver.
     *
     * <p>After the continuation, unread bytes are given to the handler again. Bytes that were written before this call are sent if the
     * socket takes them at once. The continuation may offload more work, which delays a close.
     *
     * <p>If the connection ends first, {@link ConnectionHandler#closed} is called at once. The result of the work is dropped and counted.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the executor throws it. Then nothing is offloaded
     * @throws IllegalStateException outside a callback, while earlier offloaded work is under way, or when the connection is being closed
     */
    <T> void offload(Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation);

    /** As the offload of a {@code Callable}, but if the connection ends first, the work never begins or is interrupted. */
    <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation);

    /**
     * Replaces the handler at the end of this callback, for example because the peer changes the protocol. {@link ConnectionHandler#opened}
     * of {@code next} is not called. The bytes that the former handler leaves unread are given to {@code next}, and so is the end of the
     * peer's output, even if the former handler has already got it. Until the end of this callback {@link #isReceiving} returns false. A
     * continuation of offloaded work still runs.
     *
     * @return the former handler, including decorators that pass on this object. Only {@code next} may call the former handler
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    ConnectionHandler replaceHandler(ConnectionHandler next);

    /** Returns the object attached with this key, or null. Call it in a callback of this connection, or in {@code closed}. */
    <T> T attachment(AttachmentKey<T> key);

    /**
     * Attaches {@code value} in place of the earlier object of this key. With null only removes the earlier object. Call it in a callback
     * of this connection. A decorated connection and its raw connection have the same attachments.
     */
    <T> void attach(AttachmentKey<T> key, T value);
}
