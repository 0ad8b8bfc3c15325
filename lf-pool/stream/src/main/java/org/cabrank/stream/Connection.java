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
 * <p>Any thread may call any method. Calls act in the order in which they were made, whichever threads made them: a call of another thread
 * acts before a later call of a callback.
 *
 * <ul>
 *   <li>Calls from outside a callback are handed to the connection's shard. They act when no callback runs, or inside the next call that a
 *       callback makes. Unless a task stands in front, a call that has returned acts before input that the peer sends afterwards: no such
 *       input is delivered after another thread has closed or paused the connection.
 *   <li>In a callback calls act at once. But output and its end ({@link #write}, {@link #sendFile}, {@link #whenWritten}, {@link
 *       #shutdownOutput}, {@link #close}) wait behind a {@linkplain #execute task} that another callback or thread has handed over before,
 *       because no task runs inside a call. When the callback ends, the task runs and then these calls act, before any other callback.
 *   <li>A task, and the continuation of work that a task has offloaded, act before calls that were made after the task was handed over,
 *       even if the task had not run by then.
 *   <li>A scheduled task has no place in this order. {@link #abort} overtakes all calls.
 * </ul>
 *
 * <p>While {@link StreamLimits#mailboxMax} tasks and writes wait, the latest call of each kind that only changes the connection (reading,
 * output, close, deadline, move) replaces an earlier call of that kind that has not acted, and acts in its place.
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
     * and the socket has taken all that was written. During the move no input, output or call is lost, doubled or overtaken, and time-outs
     * continue. Handler, attachments and this object are unchanged: only the thread changes. The handler must guard state that it shares
     * with other handlers of the old shard. A later request replaces a waiting request.
     *
     * <p>Only the move, no other call, may wait long for a peer that does not take what was written. Over io_uring it also waits for a
     * handler that pauses reading, because received bytes go to the handler before the move.
     *
     * @return completed by a pool thread: true if the connection is in that shard; false if it has ended or is about to end, the reactor is
     *     being closed, or a later request has replaced this one (if the mailbox is full, the thread of the later request completes it);
     *     exceptionally with an {@link IOException} if the other shard cannot have the connection, which then stays and continues
     * @throws IllegalArgumentException when there is no such shard
     */
    CompletableFuture<Boolean> moveTo(int shard);

    /**
     * The peer's address; never null. The address of an accepted connection is kept after the first call. In that call a backend may have
     * to ask the kernel, which does not know the peer after a reset or close: then the answer is the wildcard address with port 0, or a
     * Unix address without a name. After such a late call, as in {@link ConnectionHandler#closed}, the reactor keeps the address of each
     * connection that it accepts at that listener.
     */
    SocketAddress remoteAddress();

    /** This side's address; never null. If the listener is bound to every address, a closed connection may return the listener's. */
    SocketAddress localAddress();

    /**
     * Sets an option of the socket at once, also for bytes that a callback has written and not {@linkplain #flush flushed}.
     *
     * @throws IOException if the kernel refuses, with the option's name, errno, cause and remedy, or the connection is closed
     * @throws IllegalArgumentException for a value out of range, or an option that does not apply to an open connection or a Unix socket
     */
    <T> void option(SocketOption<T> option, T value) throws IOException;

    /** Returns the kernel's value of an option, perhaps not the set value. Throws if the kernel refuses or the connection is closed. */
    <T> T option(SocketOption<T> option) throws IOException;

    /**
     * Asks the kernel, by a system call, for its present view of the TCP connection, without bytes {@linkplain #queuedBytes queued} here.
     * Throws {@link UnsupportedOperationException} if this is no TCP, IOException if the kernel refuses or the connection is closed.
     */
    TcpInfo tcpInfo() throws IOException;

    /** Returns the calls that only a Unix socket has; on a TCP connection each throws {@link UnsupportedOperationException}. */
    UnixSocket unixSocket();

    /**
     * Sends the remaining bytes of {@code data}, and has consumed them when it returns. Small writes of a callback are gathered, and sent
     * when the callback ends or on {@link #flush}; what the socket does not take is queued. After {@link #close} or {@link
     * #shutdownOutput}, and on a connection that is gone, the bytes are dropped without an exception.
     *
     * @throws WriteQueueFullException when the queue would grow beyond {@link StreamLimits#queueLimit} if the socket took none of the
     *     bytes; nothing of {@code data} is consumed. If {@link WriteQueueFullException#mayRetry}, the connection calls {@link
     *     ConnectionHandler#writable} as soon as the queue has room for so many bytes, whichever thread was refused; other writes may take
     *     that room first. Otherwise {@code data} alone is larger than the limit: write it in pieces, the next one after {@code writable}
     */
    void write(ByteBuffer data);

    /**
     * As {@link #write(ByteBuffer)}, for two pieces without other bytes between them, such as header and body. Both are written, or the
     * write is refused and nothing of either is consumed; the limits apply to their sum.
     */
    void write(ByteBuffer head, ByteBuffer body);

    /**
     * Sends a range of a file, in order with what is written, and without a copy in this process as far as the kernel can do that. The file
     * may be closed as soon as this call has returned; its descriptor stays open until the range was sent ({@link #whenWritten}).
     *
     * <ul>
     *   <li>The kernel sends from its cache of the file, by sendfile(2), without a copy; files for which it cannot (EINVAL), such as those
     *       of /proc, are read in pieces of up to 128 KiB. Over io_uring sendfile(2) sends cached bytes, from 8 KiB on; requests read other
     *       bytes in such pieces and send them. Through TLS and without a socket, the sending thread reads the pieces. At most one piece of
     *       a connection is in memory.
     *   <li><b>A read of the disk blocks the thread that sends</b>: the caller, or later the thread that finds room in the socket. Over
     *       io_uring the thread blocks only if the kernel frees its cache of the range at that moment. With several threads for each shard
     *       a follower takes over. With one thread, and for a file that is rarely cached, {@linkplain #promoteNewLeader promote a new
     *       leader} before this call, or {@linkplain #offload offload} a read of the range, which brings it into the cache.
     *   <li>The bytes count in {@link #queuedBytes}, for {@link #isWritable} and the watermarks: reading pauses behind a large range, and
     *       {@link ConnectionHandler#writable} follows. They do not count for {@link StreamLimits#queueLimit}, because they are in no
     *       memory. Instead at most 1,024 ranges of a connection wait.
     *   <li>A file that ends before the range does (it was truncated) closes the connection with an {@link IOException}, because the peer
     *       has been promised the bytes; so does an error of the disk. Bytes that change while they are sent are sent in either state.
     *   <li>{@link #close} sends the range first, within {@link StreamTimeouts#closeTotal}. For a range that takes longer, call close in a
     *       completion of {@link #whenWritten}. After close or {@link #shutdownOutput} the range is dropped, as a write is.
     *   <li>During offloaded work no further bytes of waiting ranges are sent.
     * </ul>
     *
     * @param file opened for reading by {@link StreamReactor#openFile}, of any reactor
     * @param position of the first byte in the file, from 0
     * @param count number of bytes, from 0
     * @throws WriteQueueFullException if 1,024 ranges wait, or a thread outside a callback finds the mailbox full; writable follows
     * @throws java.nio.channels.ClosedChannelException if the file is closed
     * @throws IllegalArgumentException for a negative position or count
     */
    void sendFile(ReactorFile file, long position, long count) throws IOException;

    /** Sends what {@link #write} has gathered, unless a task of another thread waits before it. For handlers about to do something slow. */
    void flush();

    /**
     * Calls {@code completion} when the socket has taken every byte that was written before this call: the kernel has these bytes, and
     * still has to send them. The bytes of another thread's {@link #write} count if that write has returned before this call. A call in a
     * callback allocates nothing.
     *
     * <ul>
     *   <li>The completion is a callback of the connection: never during another one, so never inside of this call. Completions are called
     *       in the order of the calls of this method, and at once after the present callback if nothing waits for the socket. {@link
     *       ConnectionHandler#writable} comes after the completions of the same bytes.
     *   <li>A completion fails when the connection ends before: by {@link #abort}, a reset, a time-out, a failure or the end of the
     *       reactor. The bytes may have reached the peer even so. Completions that are called because the connection has ended come before
     *       {@link ConnectionHandler#closed} and are no callbacks: {@link #isInCallback} is false, and what they write is dropped. If a
     *       callback writes bytes and then aborts, it depends on the backend whether the bytes were taken. After a failed send, completions
     *       fail when the connection ends, after the bytes that the peer had sent were delivered.
     *   <li>{@link #close} and {@link #shutdownOutput} send what was written before, so completions are called, also for later calls of
     *       this method. If bytes written after them were dropped, later completions fail with an {@link IOException}.
     *   <li>During offloaded work and behind a full socket the completion waits. During a nested wait ({@link #newReply}) it is called like
     *       other callbacks. A move to another shard ({@link #moveTo}) waits for the bytes, and completions are called before the move. A
     *       drain neither waits for completions nor drops them.
     * </ul>
     *
     * @throws java.util.concurrent.RejectedExecutionException when the connection is gone, {@link WriteCompletion#PENDING_MAX} completions
     *     wait, or a thread outside a callback finds the mailbox full; the completion will not be called
     */
    void whenWritten(WriteCompletion completion);

    /** Written bytes, those of files included, that the socket has not taken yet. */
    long queuedBytes();

    /**
     * Returns true if {@link #queuedBytes} is not above {@link StreamLimits#highWatermark}: for a writer that stops before writes are
     * refused. If false, the connection, unless it is closing or closed, calls {@link ConnectionHandler#writable} as soon as the queue has
     * fallen to the low watermark, whichever thread has asked.
     */
    boolean isWritable();

    /**
     * Delivers no {@link ConnectionHandler#data} until {@link #resumeReading}. Pauses are not counted: one resume ends them all.
     *
     * <p>A reset by the peer ends a paused connection at once if nothing is queued; what the kernel had received is lost then. If bytes are
     * queued, their send fails, and the received bytes wait for {@link #resumeReading} ({@link ConnectionHandler}). An orderly end of the
     * peer's output waits behind the bytes before it. A {@linkplain StreamReactor#close drain} closes a paused connection as {@link #close}
     * does: what was written goes out, what was not read is dropped. If a drain must wait for the answer of work, {@linkplain #offload
     * offload} the work: a pause of reading is not enough.
     */
    void pauseReading();

    /**
     * Ends a pause, even one of the same callback; otherwise without effect. Bytes that the handler has left unread are given to {@link
     * ConnectionHandler#data} again when the present callback has ended, even if no further byte has come.
     */
    void resumeReading();

    /** Returns true in a callback of this connection until the callback waits for a {@linkplain #newReply reply} that is not complete. */
    boolean isInCallback();

    /** In a callback: returns true if the reactor is draining, and so waits for the end of this connection. */
    boolean isDraining();

    /**
     * Returns true if {@link ConnectionHandler#data} may be called next: the caller is in a callback of this connection, reading is not
     * paused, no work is offloaded, and the connection is not being closed. A handler that finds several messages in one buffer asks after
     * each. If the answer is false, it leaves the rest unread, and is given the rest again when reading continues.
     */
    boolean isReceiving();

    /** The limits of the connection's reactor. */
    StreamLimits limits();

    /** Sends what is queued and then tells the peer that no more will come (FIN). Reading continues. */
    void shutdownOutput();

    /**
     * Sends what is queued and then a FIN, waits for the peer's FIN, and closes; what the peer still sends is dropped. Only {@link
     * ConnectionHandler#closed} and tasks are still called. A peer without progress for longer than {@link StreamTimeouts#close}, or not
     * done within {@link StreamTimeouts#closeTotal}, is reset. A {@link #deadline} is void from this call on.
     */
    void close();

    /** Closes at once, even during offloaded work and before all other calls; what is queued is lost, and a TCP peer sees a reset. */
    void abort();

    /**
     * Sets a deadline that traffic does not renew, for what a peer must complete in a bounded time, such as a request. When {@code limit}
     * has passed since this call, the connection calls {@link ConnectionHandler#deadlinePassed} and is then closed with a {@link
     * DeadlineException}, unless the deadline is replaced or removed, or {@link #close} called, before that or in that callback.
     *
     * <p>The deadline also passes while reading is paused, while a callback waits for a reply and during offloaded work. Bytes that had
     * come before go to the handler first, which may remove the deadline. Replacing it by a later one is cheap: no timer is moved.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER} removes the deadline
     */
    void deadline(Duration limit);

    /**
     * Runs {@code task} as a callback of this connection: one callback at a time, in the order of these calls. An exception of the task is
     * treated like one of the handler. A task that was accepted runs even if the connection is closed before; it is no callback then
     * ({@link #isInCallback} is false), and its exception is logged. If this method throws an error, the task is refused.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the connection is gone, or {@link StreamLimits#mailboxMax} is reached
     */
    void execute(Runnable task);

    /**
     * Runs {@code task} once as a callback of this connection, as {@link #execute} does, when {@code delay} has passed; never earlier, and
     * later while callbacks, mail or offloaded work of the connection are under way. The timer moves with the connection. The task does not
     * run when the connection is gone, or after {@link #close} or {@link #abort} has acted. A drain does not wait for the task.
     *
     * @param delay 0 or negative: as soon as the connection is free
     * @throws java.util.concurrent.RejectedExecutionException if the connection is gone, or the shard has {@link
     *     org.cabrank.lf.Timers#TIMERS_MAX} timers of connections
     */
    ScheduledTask schedule(Duration delay, Runnable task);

    /**
     * As {@link #schedule}, at a fixed rate: when {@code first} has passed, and then once in each {@code period} (at least 1 ns). One run
     * stands for all deadlines that pass while the connection is not free. An exception closes the connection.
     *
     * @throws IllegalArgumentException if the period is shorter than 1 ns
     */
    ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task);

    /**
     * Called in a callback of this connection before it does something slow: another thread watches the handles from then on, and output of
     * earlier callbacks is sent. Without followers this call only sends; in {@link ConnectionHandler#closed} and later it does nothing.
     *
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    void promoteNewLeader();

    /**
     * Returns a new reply; the thread that waits for the reply serves this connection's shard during the wait. That is a thread outside the
     * pools, or a callback of any connection of the shard ({@link Reply}). A callback that waits lets go of its connection:
     *
     * <ul>
     *   <li>What it has written is sent before. Bytes of its buffer that it has not read are given to {@link ConnectionHandler#data} again
     *       at once; after the wait the buffer is empty. So read the whole request before waiting; requests behind it are handled during
     *       the wait, and their answers may go out first, unless reading is {@linkplain #pauseReading paused}.
     *   <li>Other callbacks of the connection run during the wait, {@link ConnectionHandler#closed} included. {@link
     *       ConnectionHandler#inputClosed} and a graceful end of the reactor wait until no callback waits; an idle time-out does not wait.
     *   <li>After the wait the callback calls the connection like any other thread.
     * </ul>
     */
    <T> Reply<T> newReply();

    /**
     * Called in a callback of this connection: hands slow work to {@code executor}, and continues the handler in a callback when the work
     * is done. No thread of the pool waits for it. Until then nothing else is called for this connection: received bytes wait, and so do
     * the peer's end, tasks of {@link #execute}, completions of {@link #whenWritten}, the idle time-out, a drain, and {@link #close} and
     * {@link #shutdownOutput} by any thread. {@link #abort} by any thread, a reset by the peer and a {@link #deadline} act at once. A
     * failed send waits for the work if there may be received bytes to deliver. What the handler has left unread is given to it again after
     * the continuation, before later bytes, even if none have come. What has been written before goes out as far as the socket takes it at
     * once. The continuation is called even if the handler was replaced since, and may offload more work, which delays a close.
     *
     * <p>The way from Leader/Followers to Half-Sync/Half-Async (POSA2) for one handler, without rewriting it; see {@link
     * org.cabrank.lf.handle.Handle#offload}, and {@link org.cabrank.lf.OffloadExecutors} for executors.
     *
     * <p>If the connection ends before the work is done ({@link #abort}, a reset, a {@link #deadline}, a failure in this callback, or too
     * long a drain), {@link ConnectionHandler#closed} is called at once; the work ends, its result is dropped and counted.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the executor throws it; the callback continues as if without this call
     * @throws IllegalStateException outside a callback, while earlier offloaded work is under way, or when the connection is being closed;
     *     {@link #shutdownOutput} alone is no reason, because reading continues
     */
    <T> void offload(Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation);

    /**
     * As {@link #offload(Executor, Callable, ConnectionContinuation)}, with work that is notified when the connection ends before it is
     * done: work that has not begun never begins, and the thread of work that has begun is interrupted ({@link CancellableWork}).
     */
    <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation);

    /**
     * In a callback: replaces the handler by {@code next} from the end of this callback on, for a peer that changes the protocol on an open
     * connection. {@link ConnectionHandler#opened} is not called; the caller calls it if {@code next} needs it. Bytes that the former
     * handler leaves unread are given to {@code next} at once, and so is the end of the peer's output, even if the former handler was
     * notified of that end. Until the end of this callback {@link #isReceiving} returns false. A continuation of offloaded work still runs.
     *
     * @return the former handler, including decorators that pass on this object; only {@code next} may call it, {@code closed} included
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    ConnectionHandler replaceHandler(ConnectionHandler next);

    /** Returns the object attached with this key, or null. For callbacks of this connection, {@link ConnectionHandler#closed} included. */
    <T> T attachment(AttachmentKey<T> key);

    /**
     * Attaches {@code value}, or nothing if it is null, in place of the key's earlier object. For callbacks of this connection. A decorated
     * connection shares the attachments of the raw connection. The first object of each key allocates.
     */
    <T> void attach(AttachmentKey<T> key, T value);
}
