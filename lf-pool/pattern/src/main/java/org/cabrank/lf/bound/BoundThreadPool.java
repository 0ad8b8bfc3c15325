package org.cabrank.lf.bound;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Reply;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/**
 * Threads that share one multiplexed connection and wait for <em>their</em> reply (POSA2, Leader/Followers: bound handle/thread
 * associations). Any thread may call any method.
 *
 * <p>Each thread registers the reply it expects, sends its request, and waits. One of the waiting threads leads: it reads the connection
 * for all threads, and hands each reply to the thread that waits for it, waking no other (the specific order of promotion). A leader that
 * gets its own reply leaves; the next follower in the pool's {@link PromotionOrder} leads.
 * <pre>{@code
 * try (ExpectedReply<Integer, String> reply = bound.expectingResponse(id)) {
 *     bound.send(request);
 *     return reply.await(Duration.ofSeconds(1));
 * }
 * }</pre>
 * <p>The pool may serve other handles of its handle set as well. Handlers of the pool may use the connection too: they wait nested ({@link
 * Reply}), so one pool is client and server (hybrid associations).
 *
 * @param <K> names a request
 * @param <R> type of a reply's content
 */
public final class BoundThreadPool<K, R> implements AutoCloseable {
    /** Number of past requests whose late or repeated replies are recognised. Replies to earlier requests count as unknown. */
    public static final int REMEMBERED_MAX = 4096;

    private final LeaderFollowersPool pool;
    private final ReplyTable<K, R> table;
    private final SharedOutput output;
    private final Handle handle;

    private BoundThreadPool(
            LeaderFollowersPool pool, BoundChannel channel, ReplyParser<K, R> parser, BoundLimits limits)
            throws IOException {
        this.pool = pool;
        this.table = new ReplyTable<>();
        this.output = new SharedOutput(channel, limits.sendQueueBytes());
        this.handle =
                channel.register(pool, new ReplyDispatcher<>(channel, parser, table, output, limits.messageBytes()));
    }

    /**
     * Lets threads share {@code channel} and wait in {@code pool}, which the caller stops. In a pool without threads of its own the waiting
     * threads lead; it should have slots for all threads that may wait at once.
     *
     * @throws IOException if the connection cannot be watched; the channel has been closed then
     * @throws IllegalArgumentException if {@code pool} does not serve the channel's handle set; the channel has been closed then
     * @throws IllegalStateException if the handle set is closed; the channel has been closed then
     */
    public static <K, R> BoundThreadPool<K, R> open(
            LeaderFollowersPool pool, BoundChannel channel, ReplyParser<K, R> parser, BoundLimits limits)
            throws IOException {
        return new BoundThreadPool<>(
                Objects.requireNonNull(pool, "pool"),
                Objects.requireNonNull(channel, "channel"),
                Objects.requireNonNull(parser, "parser"),
                Objects.requireNonNull(limits, "limits"));
    }

    /**
     * Called before the request named {@code context} is sent: from now on the reply to the request is kept for the caller.
     *
     * @throws IllegalStateException if a reply to a request of this name is expected already
     * @throws IOException if the connection is broken, with the cause
     */
    public ExpectedReply<K, R> expectingResponse(K context) throws IOException {
        return table.expect(Objects.requireNonNull(context, "context"), pool.newReply());
    }

    /**
     * Sends the rest of {@code message} whole, after earlier messages. Consumes it all: bytes that the socket does not take are queued.
     *
     * @throws SendQueueFullException if too much is queued for a peer that does not read; nothing was consumed
     * @throws IOException if the connection is broken, or breaks now: every waiter without a received reply fails
     * @throws OutOfMemoryError if there is no memory to queue. Nothing was sent or consumed; if a part was sent before, the connection is
     *     broken as above
     */
    public void send(ByteBuffer message) throws IOException {
        try {
            if (output.send(message)) {
                handle.post(Ready.POSTED); // the leader waits for room to send from now on
            }
        } catch (Throwable failed) {
            if (output.broken() != null) {
                handle.post(Ready.POSTED); // the leader delivers the received replies, and closes the connection
            }
            throw failed;
        }
    }

    /** Does {@link #expectingResponse}, {@link #send} and {@link ExpectedReply#await}. */
    public R call(K id, ByteBuffer request, Duration timeout) throws IOException, ExecutionException, TimeoutException {
        try (ExpectedReply<K, R> expected = expectingResponse(id)) {
            send(request);
            return expected.await(timeout);
        }
    }

    /** Returns the failure that broke the connection, or null. */
    public Throwable broken() {
        return output.broken();
    }

    /** Number of bytes in the queue, which the socket has not taken yet. */
    public long queuedBytes() {
        return output.queuedBytes();
    }

    public LeaderFollowersPool pool() {
        return pool;
    }

    public BoundCounters counters() {
        return table.counters();
    }

    /**
     * Closes the connection: every waiter fails, and nothing is sent any more. The next thread that leads, or the close of the handle set,
     * closes the descriptor. The pool goes on.
     */
    @Override
    public void close() {
        IOException closed = new IOException("the connection was closed");
        output.breakOff(closed);
        table.breakOff(closed);
        handle.close();
    }

    @Override
    public String toString() {
        return "bound " + pool + " on " + handle;
    }
}
