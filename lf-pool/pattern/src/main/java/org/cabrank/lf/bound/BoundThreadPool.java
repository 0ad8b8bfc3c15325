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
 * Threads that share one multiplexed connection and wait for <em>their</em> reply (POSA2, Leader/Followers: bound
 * handle/thread associations).
 *
 * <p>Each thread says which reply it expects, sends its request, and waits. Of those that wait one leads: it reads the
 * connection for all of them, finds the request that each message answers, and hands it to the thread that waits for it,
 * which alone is woken (the specific order of promotion). A leader whose own reply has come leaves, and the follower whose
 * turn it is in the pool's {@link PromotionOrder} leads next. No thread is needed beside those that wait.
 *
 * <pre>{@code
 * try (ExpectedReply<Integer, String> reply = bound.expectingResponse(id)) {
 *     bound.send(request);
 *     return reply.await(Duration.ofSeconds(1));
 * }
 * }</pre>
 *
 * <p>Beside the connection the pool may serve whatever else its handle set watches. Handlers of the same pool may use the
 * connection too: they wait nested then ({@link Reply}), which makes a client and server of one pool (hybrid
 * associations).
 *
 * <p>All methods may be called by any thread.
 *
 * @param <K> names a request
 * @param <R> type of a reply's content
 */
public final class BoundThreadPool<K, R> implements AutoCloseable {
    /** Number of past requests that a late or repeated reply is recognised by; replies to earlier ones count as unknown. */
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
     * Lets threads share {@code channel} and wait in {@code pool}, which is the caller's to stop. A pool that has no threads
     * of its own is led by those that wait; it should be made for as many as may wait at once.
     *
     * @throws IOException when the connection cannot be watched; the channel has been closed then
     * @throws IllegalArgumentException when {@code pool} does not serve the channel's handle set; the channel has been closed then
     * @throws IllegalStateException when the handle set is closed; the channel has been closed then
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
     * To be called before the request {@code context} is sent: from now on its reply is kept for the caller.
     *
     * @throws IllegalStateException when a reply to a request of this name is expected already
     * @throws IOException when the connection is broken; the cause says why
     */
    public ExpectedReply<K, R> expectingResponse(K context) throws IOException {
        return table.expect(Objects.requireNonNull(context, "context"), pool.newReply());
    }

    /**
     * Sends the rest of {@code message}, whole and after those that were sent before, and has consumed it when it returns.
     * What the socket does not take is queued.
     *
     * @throws SendQueueFullException when too much is queued for a peer that does not read; nothing was consumed
     * @throws IOException when the connection is broken, or breaks now: every waiter fails whose reply has not been received
     * @throws OutOfMemoryError when there is no memory for what must be queued: nothing was sent or consumed; or, if a part was
     *     sent, the connection is broken as above
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

    /** Expects the reply to {@code id}, sends {@code request} and waits; see the three. */
    public R call(K id, ByteBuffer request, Duration timeout) throws IOException, ExecutionException, TimeoutException {
        try (ExpectedReply<K, R> expected = expectingResponse(id)) {
            send(request);
            return expected.await(timeout);
        }
    }

    /** The failure that broke the connection, or null. */
    public Throwable broken() {
        return output.broken();
    }

    /** Bytes that were sent and that the socket has not taken yet. */
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
     * Closes the connection: every waiter fails, and nothing is sent any more. The descriptor is given back by the next
     * thread that leads, or with the handle set. The pool goes on.
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
