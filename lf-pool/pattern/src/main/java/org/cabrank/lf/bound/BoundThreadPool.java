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
 * associations). All methods may be called by any thread.
 *
 * <p>Each thread registers the reply it expects, sends its request, and waits. One of the waiting threads leads: it reads the connection
 * for all, and hands each message to the thread that waits for it, which alone is woken (the specific order of promotion). A leader with
 * its own reply leaves, and the next follower in the pool's {@link PromotionOrder} leads. Only waiting threads are needed.
 * <pre>{@code
 * try (ExpectedReply<Integer, String> reply = bound.expectingResponse(id)) {
 *     bound.send(request);
 *     return reply.await(Duration.ofSeconds(1));
 * }
 * }</pre>
 * <p>The pool may serve whatever else its handle set watches. Handlers of the pool may use the connection too: they wait nested
 * ({@link Reply}), which makes a client and server of one pool (hybrid associations).
 *
 * @param <K> names a request
 * @param <R> type of a reply's content
 */
public final class BoundThreadPool<K, R> implements AutoCloseable {
    /** Number of past requests by which late or repeated replies are recognised; replies to earlier ones count as unknown. */
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
     * Lets threads share {@code channel} and wait in {@code pool}, which the caller stops. Waiting threads lead a pool without threads of
     * its own; it should have room for as many as may wait at once.
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
     * Called before the request {@code context} is sent: from now on its reply is kept for the caller.
     *
     * @throws IllegalStateException if a reply to a request of this name is expected already
     * @throws IOException if the connection is broken, with the cause
     */
    public ExpectedReply<K, R> expectingResponse(K context) throws IOException {
        return table.expect(Objects.requireNonNull(context, "context"), pool.newReply());
    }

    /**
     * Sends the rest of {@code message} whole, after earlier ones, and has consumed it on return. What the socket does not take is queued.
     *
     * @throws SendQueueFullException if too much is queued for a peer that does not read; nothing was consumed
     * @throws IOException if the connection is broken, or breaks now: every waiter without a received reply fails
     * @throws OutOfMemoryError if there is no memory to queue: nothing was sent or consumed; or, if a part was sent, the connection is
     *     broken as above
     */
    public void send(ByteBuffer message) throws IOException {
        try {
            if (output.send(message)) {
                handle.post(Ready.POSTED); // whoever leads waits for room from now on
            }
        } catch (Throwable failed) {
            if (output.broken() != null) {
                handle.post(Ready.POSTED); // whoever leads delivers what has come, and closes it
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

    /** Bytes sent that the socket has not taken yet. */
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
