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
 * <p>Every method may be called by any thread. Calls act in the order in which they were made, whichever threads made them: what
 * another thread had asked for before a callback made a call acts before that call.
 *
 * <ul>
 *   <li>From outside a callback calls are handed to the connection's shard, and act when no callback runs, or inside the next call that
 *       a callback makes. Unless a task stands in front, a call that has returned acts before input that the peer sends afterwards: a
 *       connection that another thread has closed, or has paused, delivers none.
 *   <li>In a callback calls act at once. But output and its end ({@link #write}, {@link #sendFile}, {@link #whenWritten}, {@link
 *       #shutdownOutput}, {@link #close}) wait behind a {@linkplain #execute task} that another callback or thread had handed over: no
 *       task runs inside a call. The task, and then they, act when the callback ends, before any other callback.
 *   <li>A task acts where it stands: before the calls that were made behind it, even if these were made before it ran. So does the
 *       continuation of work that a task has handed away.
 *   <li>A scheduled task has no place among the calls. {@link #abort} overtakes them all.
 * </ul>
 *
 * <p>While {@link StreamLimits#mailboxMax} tasks and writes wait, the latest call of each kind that only changes the connection (reading,
 * output, close, deadline, move) replaces an earlier one that has not acted, and acts in its place.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface Connection {

    /** A number that no other connection of this process has had. */
    long id();

    /** The number of the shard that serves it, from 0; in a callback, the one whose thread runs it. */
    int shard();

    /**
     * Has another shard serve the connection, from when it is idle next: no callback runs or waits for a reply, no work that was
     * handed away is under way, and all that was written has been taken by the socket. Nothing of what comes, goes or is asked
     * in the same period is lost, doubled or overtaken, time-outs go on, and the handler, the attachments and this object are
     * unchanged: only the thread is another. The handler must see to state that it shares with other handlers of its shard.
     *
     * <p>A peer that does not take what was written may keep the connection where it is for long, and so may a handler that pauses
     * reading over io_uring: what has been received until then is given to it before the move. Nothing but this waits for them.
     * A later request replaces one that waits.
     *
     * @return completed by a pool thread: true, it is in that shard; false, it has ended or is about to end, its reactor
     *     is being closed, or a later request has taken this one's place (completed by the thread of that request if it comes while
     *     the mailbox is full); exceptionally with an {@link IOException} that says why the other shard cannot have it:
     *     then it stays and goes on
     * @throws IllegalArgumentException when there is no such shard
     */
    CompletableFuture<Boolean> moveTo(int shard);

    /**
     * The peer's address; never null. Any thread. The address of an accepted connection stays known once it was asked for; before,
     * a backend may have to ask the kernel, which knows the peer no more when the connection was reset or closed. Then the answer
     * is the wildcard address with port 0, or a Unix address without a name. The reactor takes such a late question, as in {@link
     * ConnectionHandler#closed}, for a wish: it keeps the address of each connection that it accepts at that listener afterwards.
     */
    SocketAddress remoteAddress();

    /**
     * This side's address; never null. Any thread. Where the listener is bound to every address, a backend may have to ask the
     * kernel; if the connection was closed before, the answer is the address of the listener.
     */
    SocketAddress localAddress();

    /**
     * Sets an option of the socket. Any thread. Acts at once: on bytes that a callback has written and that are still gathered,
     * too, unless they are {@linkplain #flush flushed} before.
     *
     * @throws IOException if the kernel refuses the option, with its name, the errno, the cause and the remedy, or if the
     *     connection is closed
     * @throws IllegalArgumentException for an option that does not apply to an open connection or to a Unix socket, and for a value
     *     out of range
     */
    <T> void option(SocketOption<T> option, T value) throws IOException;

    /**
     * Returns the kernel's value of an option of the socket, which may differ from the value that was set: see the option. Any
     * thread.
     *
     * @throws IOException if the kernel refuses, or if the connection is closed
     */
    <T> T option(SocketOption<T> option) throws IOException;

    /**
     * Asks the kernel for its view of the TCP connection: round-trip times, congestion, retransmissions, bytes. Any thread; a system
     * call, and the answer is a new object. It is of this moment, and says nothing of bytes that are still {@linkplain #queuedBytes
     * queued} here.
     *
     * @throws IOException if the kernel refuses, or if the connection is closed
     * @throws UnsupportedOperationException for a connection that is not TCP, such as one of a Unix socket
     */
    TcpInfo tcpInfo() throws IOException;

    /**
     * Returns the calls that a connection of a Unix socket has in addition: credentials of its peer, and descriptors that are passed. Any
     * thread. Each of these calls throws {@link UnsupportedOperationException} if this connection is TCP.
     */
    UnixSocket unixSocket();

    /**
     * Sends the remaining bytes of {@code data}, and has consumed them when it returns. Inside a callback, small writes
     * are gathered and sent together when the callback ends (or on {@link #flush}); what the socket does not take is
     * queued. After {@link #close} or {@link #shutdownOutput}, and on a connection that is gone, the bytes are dropped:
     * {@link ConnectionHandler#closed} tells.
     *
     * @throws WriteQueueFullException when the queue would grow beyond {@link StreamLimits#queueLimit} if the socket took none
     *     of the bytes; nothing of {@code data} was consumed. If {@link WriteQueueFullException#mayRetry}, the connection
     *     calls {@link ConnectionHandler#writable} as soon as a queue with so many bytes more stays within the limit, whichever
     *     thread was refused; other writes may take the room before. Otherwise {@code data} alone is larger than the
     *     limit: write it in pieces, the next one after {@code writable}
     */
    void write(ByteBuffer data);

    /**
     * As {@link #write(ByteBuffer)}, for two pieces that follow each other without other bytes between them, such as the header and
     * the body of a message. Both are written, or the write is refused and nothing of either is consumed; the limits apply to their
     * sum.
     */
    void write(ByteBuffer head, ByteBuffer body);

    /**
     * Sends a range of a file, in order with what is written, and without a copy in this process as far as the kernel can do that. Any
     * thread. The file may be closed as soon as this call has returned; its descriptor stays open until the range was sent.
     * {@link #whenWritten} tells when that is.
     *
     * <ul>
     *   <li>The kernel sends from its cache of the file, by sendfile(2), without a copy; files for which it cannot (EINVAL), such as
     *       those of /proc, are read in pieces of up to 128 KiB. Over io_uring that holds for bytes that are in the cache, from 8 KiB
     *       on; bytes that are not cached are read in such pieces, and sent, by requests. Through TLS and without a socket, pieces are read by the
     *       thread that sends. No more than one piece of a connection is in memory.
     *   <li><b>A read of the disk blocks the thread that sends</b>, but over io_uring (unless the kernel frees its cache of the range at that
     *       moment): the caller, or later the thread that finds room in
     *       the socket. Several threads for each shard keep the other connections served, since a follower takes over. With one
     *       thread, and for a file that is rarely in the kernel's cache, {@linkplain #promoteNewLeader promote a new leader} before
     *       this call, or {@linkplain #offload offload} a read of the range, which brings the range into the cache.
     *   <li>The bytes count in {@link #queuedBytes}, for {@link #isWritable} and the watermarks: reading pauses behind a large range,
     *       and {@link ConnectionHandler#writable} follows. They do not count for {@link StreamLimits#queueLimit}, because they are in no
     *       memory. Instead at most 1,024 ranges of a connection wait.
     *   <li>A file that ends before the range does (it was truncated) closes the connection with an {@link IOException}, because the
     *       peer has been promised the bytes; so does an error of the disk. Bytes that change while they are sent are sent in either
     *       state.
     *   <li>{@link #close} sends the range first, within {@link StreamTimeouts#closeTotal}. For a range that takes longer, call
     *       close in a completion of {@link #whenWritten}. After close or {@link #shutdownOutput} the range is dropped, as a write is.
     *   <li>During offloaded work, of a range not taken by the socket no more is sent.
     * </ul>
     *
     * @param file opened for reading by {@link StreamReactor#openFile}, of any reactor
     * @param position of the first byte in the file, from 0
     * @param count number of bytes, from 0
     * @throws WriteQueueFullException if 1,024 ranges wait, or another thread than a callback finds the mailbox full; writable follows
     * @throws java.nio.channels.ClosedChannelException if the file is closed
     * @throws IllegalArgumentException for a negative position or count
     */
    void sendFile(ReactorFile file, long position, long count) throws IOException;

    /**
     * Sends now what {@link #write} has gathered: for a handler that goes on to do something slow. What waits behind a task of another
     * thread is sent behind that task.
     */
    void flush();

    /**
     * Calls {@code completion} when the socket has taken every byte that was written before this call: when these bytes are with the
     * kernel, which still has to send them. Any thread; the bytes of another thread's earlier {@link #write} count if that call has
     * returned before this call. Costs nothing where it is not used, and allocates nothing per call in a callback.
     *
     * <ul>
     *   <li>The completion is a callback of the connection: never during another one, so never inside of this call. Completions are
     *       called in the order of the calls of this method, and at once after the present callback if nothing waits for the socket.
     *       {@link ConnectionHandler#writable} comes after the completions of the same bytes.
     *   <li>It fails when the connection ends before: by {@link #abort}, a reset, a time-out, a failure or the end of the reactor. The
     *       bytes may have reached the peer even so. Completions are called before {@link ConnectionHandler#closed}. Those that are
     *       called because the connection has ended are no callbacks any more: {@link #isInCallback} is false, and what they write is
     *       dropped. Whether the bytes that a callback has written before it aborts were taken depends on the backend.
     *       Behind a failed send, completions fail when the connection ends, after the bytes that the peer had sent were delivered.
     *   <li>{@link #close} and {@link #shutdownOutput} send what was written before, so completions are called, also for calls of
     *       this method that come after them. If bytes were dropped because they were written after them, completions that are asked for
     *       later fail with an {@link IOException}.
     *   <li>During offloaded work and behind a full socket the completion waits. During a nested wait ({@link #newReply}) it is
     *       called like other callbacks. A move to another shard ({@link #moveTo}) waits for the bytes, and completions are called
     *       before the move. A drain neither waits for completions nor drops them.
     * </ul>
     *
     * @throws java.util.concurrent.RejectedExecutionException when the connection is gone, {@link WriteCompletion#PENDING_MAX}
     *     completions wait, or another thread than a callback finds the mailbox full; the completion will not be called
     */
    void whenWritten(WriteCompletion completion);

    /** The bytes that were written, with those of files, and that the socket has not taken yet. */
    long queuedBytes();

    /**
     * Returns true if {@link #queuedBytes} is not above {@link StreamLimits#highWatermark}. Any thread. For a writer that stops
     * before writes are refused. If the answer is false, the connection calls {@link ConnectionHandler#writable} as soon as the
     * queue has fallen to the low watermark, whichever thread has asked. A connection that is closing or closed does not call.
     */
    boolean isWritable();

    /**
     * No further {@link ConnectionHandler#data} until {@link #resumeReading}. Not counted: one resume is enough.
     *
     * <p>A reset by the peer ends a paused connection at once if nothing is queued; what the kernel had received is lost then. If bytes
     * are queued, their send fails, and the received bytes wait for {@link #resumeReading} ({@link ConnectionHandler}). An orderly end of
     * the peer's output waits behind the bytes before it. A {@linkplain StreamReactor#close drain} closes a paused connection as
     * {@link #close} does: what was written goes out, what was not read is dropped. So work whose answer a drain must wait for
     * is {@linkplain #offload offloaded}, and not given away with reading paused.
     */
    void pauseReading();

    /**
     * Ends a pause, even one of the same callback. Bytes that the handler has left unread are given to {@link ConnectionHandler#data}
     * again when the present callback has ended, even if no further byte has come. Without effect if reading is not paused.
     */
    void resumeReading();

    /**
     * Returns true if the caller is in a callback of this connection. Returns false after the callback has waited for a
     * reply ({@link #newReply}). A reply that had already been completed is no wait.
     */
    boolean isInCallback();

    /** In a callback: returns true if the reactor is draining, and so waits for the end of this connection. */
    boolean isDraining();

    /**
     * Returns true if {@link ConnectionHandler#data} may be called next: the caller is in a callback of this connection, reading is
     * not paused, no work is offloaded, and the connection is not being closed. A handler that finds several messages in one buffer
     * asks after each of them. If the answer is false, it leaves the rest unread, and is given the rest again when reading continues.
     */
    boolean isReceiving();

    /** The limits of the connection's reactor. */
    StreamLimits limits();

    /** Sends what is queued and then tells the peer that no more will come (FIN). Reading goes on. */
    void shutdownOutput();

    /**
     * Sends what is queued, then tells the peer (FIN), waits for the peer's end, and closes; what the peer still sends is
     * dropped. No further callback but {@link ConnectionHandler#closed} and tasks of {@link #execute}. A peer that stands
     * still for longer than {@link StreamTimeouts#close}, or that has not let the connection end within
     * {@link StreamTimeouts#closeTotal}, is reset. A {@link #deadline} is void from this call on.
     */
    void close();

    /**
     * Closes at once, even while offloaded work is under way and before what the caller has asked for from outside a callback;
     * what is queued is lost, and a TCP peer sees a reset.
     */
    void abort();

    /**
     * Sets a deadline that traffic does not renew: when {@code limit} has passed since this call, the connection calls
     * {@link ConnectionHandler#deadlinePassed} and is then closed with a {@link DeadlineException}, unless the deadline was
     * replaced by another call, or removed, or {@link #close} was called, before or in that callback. For
     * whatever a peer must complete in a bounded time, however slowly it sends: the head of a request, a handshake.
     *
     * <p>The deadline passes while reading is paused, while a callback waits for a reply and while offloaded work is under way,
     * too. Bytes that had come before are given to the handler first, which may remove the deadline then. Replacing a deadline
     * by a later one is cheap: the timer is not moved.
     *
     * @param limit from 1 ms to 366 days; {@link StreamTimeouts#NEVER} removes the deadline
     */
    void deadline(Duration limit);

    /**
     * Runs {@code task} as a callback of this connection: never at the same time as another, in the order given. What a task
     * throws is treated as what a handler throws. A task that was accepted runs even if the connection is closed before; then it
     * is no callback ({@link #isInCallback} is false), and what it throws is logged. An error that this method throws leaves the task refused.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the connection is gone, or {@link StreamLimits#mailboxMax}
     *     tasks and writes wait; the task will not run
     */
    void execute(Runnable task);

    /**
     * Runs {@code task} once as a callback of this connection, as {@link #execute} does, when {@code delay} has passed. Any thread. The
     * task never runs before its time, and runs later while callbacks, mail or offloaded work of the connection are under way. The
     * timer belongs to the shard of the connection, and is moved with the connection. The task does not run when the connection is
     * gone, whoever has ended it, or after {@link #close} or {@link #abort} has acted. A drain does not wait for the task.
     *
     * @param delay 0 or negative: as soon as the connection is free
     * @throws java.util.concurrent.RejectedExecutionException if the connection is gone, or the shard has
     *     {@link org.cabrank.lf.Timers#TIMERS_MAX} timers of connections
     */
    ScheduledTask schedule(Duration delay, Runnable task);

    /**
     * As {@link #schedule}, at a fixed rate: when {@code first} has passed, and every {@code period} after that moment. One run stands
     * for all deadlines that pass while the connection is not free. An exception of the task closes the connection, which ends the
     * runs.
     *
     * @param first 0 or negative: as soon as the connection is free
     * @param period at least 1 ns
     * @throws IllegalArgumentException if the period is shorter
     */
    ScheduledTask scheduleEvery(Duration first, Duration period, Runnable task);

    /**
     * Called in a callback of this connection before it does something slow: another thread of the pool watches the
     * handles from now on, and what callbacks before it have written goes out. Without followers it only sends the output
     * of earlier callbacks. In {@link ConnectionHandler#closed} and later it does nothing.
     *
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    void promoteNewLeader();

    /**
     * Returns a new reply; the thread that waits for the reply serves this connection's shard during the wait. That is a thread
     * outside the pools, or a callback of any connection of the shard ({@link Reply}). A callback that waits lets go of its
     * connection:
     *
     * <ul>
     *   <li>What it has written is sent before, and what it has not read of its buffer, which is empty after the wait, is given to
     *       {@link ConnectionHandler#data} again at once. So read the whole request before waiting; requests behind it are
     *       handled during the wait, and their answers may go out first, unless reading is {@linkplain #pauseReading paused}.
     *   <li>Other callbacks of the connection run during the wait, {@link ConnectionHandler#closed} included; but
     *       {@link ConnectionHandler#inputClosed} only when no callback waits any more, and a graceful end of the reactor
     *       waits for them. An idle time-out does not.
     *   <li>After the wait the callback calls the connection like any other thread.
     * </ul>
     */
    <T> Reply<T> newReply();

    /**
     * Called in a callback of this connection: hands something slow to {@code executor}, and continues the handler in a
     * callback when it is done. No thread of the pool waits for it. Until then nothing else is called for this connection:
     * bytes that come wait, and so do the peer's end, tasks of {@link #execute}, the idle time-out, a drain, and
     * {@link #close} and {@link #shutdownOutput} by whomever. {@link #abort} by any thread, a reset by the peer and a
     * {@link #deadline} act at once. A failed send waits for the work if there may be received bytes to deliver. What the handler has
     * left unread is given to it again after the continuation, in front of what has come since, even if nothing has. What has been
     * written before goes out as far as the socket takes it at once. Completions of {@link #whenWritten} wait, too. The continuation
     * is called even if the handler was replaced since, and may hand more work away, which a close waits for, too.
     *
     * <p>The way from Leader/Followers to Half-Sync/Half-Async (POSA2) for one handler, without rewriting it; see
     * {@link org.cabrank.lf.handle.Handle#offload}, and {@link org.cabrank.lf.OffloadExecutors} for executors.
     *
     * <p>A connection that ends before the work is done ({@link #abort}, a reset, a {@link #deadline}, a failure in this
     * callback, or a reactor whose drain has taken too long) has its {@link ConnectionHandler#closed} called at once; the work is
     * done to its end, and its result is dropped and counted.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the executor throws it; the callback goes on as if it had
     *     not called
     * @throws IllegalStateException outside a callback, when work that was handed away before is not done yet, or when the
     *     connection is being closed; {@link #shutdownOutput} alone is no reason, because reading goes on
     */
    <T> void offload(Executor executor, Callable<? extends T> work, ConnectionContinuation<? super T> continuation);

    /**
     * As {@link #offload(Executor, Callable, ConnectionContinuation)}, with work that is notified when the connection ends
     * before the work is done, for instance because the client has gone: work that has not begun is never begun, and the thread
     * of work that has is interrupted ({@link CancellableWork}).
     */
    <T> void offload(
            Executor executor, CancellableWork<? extends T> work, ConnectionContinuation<? super T> continuation);

    /**
     * In a callback: has {@code next} called from the end of this callback on, instead of the handler that was called until now. For a
     * peer that changes the protocol on an open connection. {@link ConnectionHandler#opened} is not called; the caller calls that
     * method if {@code next} needs it. Bytes that the former handler
     * leaves unread are given to {@code next} at once, and so is the end of the peer's output, even if the former handler was notified
     * of that end. Until the end of this callback {@link #isReceiving} returns false. A continuation of offloaded work
     * still runs.
     *
     * @return the former handler, which the connection calls no more, not even {@link ConnectionHandler#closed}, unless {@code next}
     *     does. That is the outermost handler of this connection, decorators included that pass on this object
     * @throws IllegalStateException outside a callback of this connection, which includes a callback that has waited for a reply
     */
    ConnectionHandler replaceHandler(ConnectionHandler next);

    /**
     * Returns the object that was attached with this key, or null. For callbacks of this connection, {@link ConnectionHandler#closed}
     * included.
     */
    <T> T attachment(AttachmentKey<T> key);

    /**
     * Attaches an object to the connection, in place of the one that this key had. For callbacks of this connection. Decorated and raw
     * connection share the attachments. The first object of a further key allocates.
     *
     * @param value null: nothing is attached with this key any more
     */
    <T> void attach(AttachmentKey<T> key, T value);
}
